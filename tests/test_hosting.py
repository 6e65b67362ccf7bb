"""The files for the place that hosts the repository: forms that it accepts, and a workflow that runs all checks."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / ".github"
SCHEMAS = {
    "vendor.github-issue-config": ["ISSUE_TEMPLATE/config.yml"],
    "vendor.github-issue-forms": ["ISSUE_TEMPLATE/bug.yml", "ISSUE_TEMPLATE/idea.yml"],
    "vendor.github-workflows": ["workflows/check.yml", "workflows/nightly.yml", "workflows/publish.yml"],
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
    assert ".ci/run" in [step.get("run") for step in workflow["jobs"]["everything"]["steps"]]


def test_the_tests_run_on_every_python_that_the_project_names() -> None:
    workflow = yaml.safe_load((FOLDER / "workflows" / "check.yml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {found[1] for line in project["classifiers"] if (found := re.search(r":: (3\.\d+)$", line))}
    assert named <= set(workflow["jobs"]["tests"]["strategy"]["matrix"]["python"])
    assert "make pypy" in [step.get("run") for step in workflow["jobs"]["pypy"]["steps"]]


@pytest.mark.parametrize("path", sorted((FOLDER / "workflows").glob("*.yml")), ids=lambda path: path.name)
def test_actions_are_pinned_by_commit(path: Path) -> None:
    for line in re.findall(r"uses: *(.*)", path.read_text(encoding="utf-8")):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v[\d.]+", line), line


def test_only_the_jobs_that_publish_may_ask_for_an_identity() -> None:
    for path in (FOLDER / "workflows").glob("*.yml"):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {"contents": "read"}, path.name
        asking = {name for name, job in workflow["jobs"].items() if "permissions" in job}
        assert asking == ({"python", "npm"} if path.name == "publish.yml" else set()), path.name
