"""The files for the place that hosts the repository: forms that it accepts, and a workflow that runs all checks."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".github"
SCHEMAS = {
    "vendor.github-issue-config": ["ISSUE_TEMPLATE/config.yml"],
    "vendor.github-issue-forms": ["ISSUE_TEMPLATE/bug.yml", "ISSUE_TEMPLATE/idea.yml"],
    "vendor.github-workflows": ["workflows/check.yml"],
}


def test_every_form_and_workflow_is_judged_here() -> None:
    found = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.yml")}
    assert found == {name for names in SCHEMAS.values() for name in names}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_form_or_workflow_fits_its_schema(schema: str) -> None:
    files = [str(FOLDER / name) for name in SCHEMAS[schema]]
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, *files]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_runs_what_must_pass() -> None:
    workflow = yaml.safe_load((FOLDER / "workflows" / "check.yml").read_text(encoding="utf-8"))
    assert ".ci/run" in [step.get("run") for step in workflow["jobs"]["check"]["steps"]]
