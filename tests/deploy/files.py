"""The files of deploy/ as data: what they start, with which words, and how they look whether it is well."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
DOCKERFILE = DEPLOY / "Dockerfile"
IMAGES = ("service", "gateway")
"""The targets of the Dockerfile."""
KUSTOMIZATIONS = sorted(KUBERNETES.rglob("kustomization.yaml"))
MANIFESTS = sorted(path for path in KUBERNETES.rglob("*.yaml") if path not in KUSTOMIZATIONS)
DASHBOARDS = sorted((DEPLOY / "grafana" / "dashboards").glob("*.json"))

Words = tuple[str, ...]


def short(path: Path) -> str:
    """How a file is called in the list of tests."""
    return path.relative_to(ROOT).as_posix()


@cache
def document(path: Path) -> Any:
    """The one document in a file of YAML."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@cache
def objects(path: Path) -> tuple[dict[str, Any], ...]:
    """The objects of a manifest."""
    return tuple(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def all_objects(kind: str) -> Iterator[dict[str, Any]]:
    """Every object of a kind, in whatever file."""
    for path in MANIFESTS:
        yield from (found for found in objects(path) if found["kind"] == kind)


def the_object(kind: str, name: str) -> dict[str, Any]:
    """The one with this name."""
    (found,) = (each for each in all_objects(kind) if each["metadata"]["name"] == name)
    return found


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    """The specification of every pod, by the name of what makes it."""
    for name, template in pod_templates():
        yield name, template["spec"]


def pod_templates() -> Iterator[tuple[str, dict[str, Any]]]:
    """What pods are made from, by the name of what makes them: labels and specification."""
    for kind in ("Deployment", "StatefulSet"):
        for found in all_objects(kind):
            yield found["metadata"]["name"], found["spec"]["template"]
    for found in all_objects("CronJob"):
        yield found["metadata"]["name"], found["spec"]["jobTemplate"]["spec"]["template"]


def container(pod: str) -> dict[str, Any]:
    """The one container of a pod."""
    ((found,),) = (spec["containers"] for name, spec in pods() if name == pod)
    assert isinstance(found, dict)
    return found


Instructions = tuple[tuple[str, str], ...]


@cache
def instructions() -> Instructions:
    """The instructions of the Dockerfile: word and rest, lines put together."""
    lines = [line for line in DOCKERFILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    text = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return tuple((word, rest.strip()) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line))


@cache
def image_instructions(target: str) -> Instructions:
    """The instructions of a target: those of the stages that it is made from, and its own."""
    stages: dict[str, Instructions] = {}
    name = ""
    for word, rest in instructions():
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            stages[name] = stages.get(base, ())
        else:
            stages[name] += ((word, rest),)
    return stages[target]


def image_words(name: str, instruction: str) -> Words:
    """The list of words in an instruction such as CMD."""
    (rest,) = (rest for word, rest in image_instructions(name) if word == instruction)
    return tuple(json.loads(rest[rest.index("[") :]))


def composed(name: str) -> dict[str, Any]:
    """A service of compose.yaml."""
    found = document(DEPLOY / "compose.yaml")["services"][name]
    assert isinstance(found, dict)
    return found


def started() -> dict[str, Words]:
    """Every command of ours that a file starts, by where it stands; without the name of the program."""
    found: dict[str, Words] = {}
    for name in IMAGES:
        found[f"image of the {name}"] = image_words(name, "CMD")
        found[f"compose: {name}"] = tuple(composed(name)["command"])
        found[f"Kubernetes: {name}"] = tuple(container(f"alhambra-{name}")["args"])
    return found


def bots() -> dict[str, Words]:
    """The commands that play for bots, by where they stand; without the name of the program."""
    return {
        "compose: bots": tuple(composed("bots")["command"]),
        "Kubernetes: bots": tuple(container("alhambra-bots")["args"]),
    }


def backups() -> dict[str, Words]:
    """The commands that make backups, by where they stand; without the name of the program."""
    return {
        "compose: backup": tuple(composed("backup")["command"]),
        "Kubernetes: backup": tuple(container("alhambra-backup")["args"]),
    }


def flags(words: Words) -> dict[str, str]:
    """The flags of a command with their values, however they are written."""
    joined = re.sub(r"(--[a-z-]+) (?!--)", r"\1=", " ".join(words[1:]))
    return dict(word.split("=", 1) for word in joined.split() if word.startswith("--"))
