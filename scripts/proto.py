"""Compiles the contract: messages, their types, gRPC stubs and the descriptor set, all beside the .proto files.

    python -m scripts.proto            compile
    python -m scripts.proto --check    say which files are not what the .proto files compile to
    python -m scripts.proto --freeze   promise what is new: add it to proto/frozen/v1.txt

The same .proto files and the same pinned tools give the same bytes. `descriptors.binpb` holds every file of the
contract with its comments, and the files that these import, so that it stands by itself (`grpcurl -protoset`).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from google.api import annotations_pb2
from google.protobuf import descriptor_pb2
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

from . import frozen

ROOT = Path(__file__).resolve().parents[1] / "proto"
PACKAGE = Path("alhambra_api", "v1")
DESCRIPTORS = PACKAGE / "descriptors.binpb"
SERVICES = PACKAGE / "service.proto"
"""The one file with services: stubs of the others would be empty."""


def sources() -> list[str]:
    """The .proto files, relative to the root of the contract, always in the same order."""
    return sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / PACKAGE).glob("*.proto"))


def includes() -> list[Path]:
    """Where imports are found: the contract itself, then the packages that bring `google/…`."""
    import grpc_tools

    return [ROOT, Path(annotations_pb2.__file__).parents[2], Path(grpc_tools.__file__).parent / "_proto"]


def protoc(*arguments: str) -> None:
    """Runs the compiler; its plugins are found beside the interpreter."""
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    paths = [f"--proto_path={path}" for path in includes()]
    command = [sys.executable, "-m", "grpc_tools.protoc", "--fatal_warnings", *paths, *arguments]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": search}, check=True)


def compile_into(target: Path) -> None:
    """Writes everything that is generated below the target."""
    protoc(f"--python_out={target}", f"--mypy_out=quiet:{target}", *sources())
    protoc(f"--grpc_python_out={target}", f"--mypy_grpc_out=quiet:{target}", SERVICES.as_posix())
    raw = target / DESCRIPTORS
    protoc("--include_imports", "--include_source_info", f"--descriptor_set_out={raw}", *sources())
    raw.write_bytes(slim(raw.read_bytes()))


def slim(data: bytes) -> bytes:
    """The descriptor set without the comments of what is only imported.

    It is read by a pool that knows no options, so that the bytes do not depend on which ones this process has met.
    """
    pool = DescriptorPool()
    pool.AddSerializedFile(descriptor_pb2.DESCRIPTOR.serialized_pb)
    found: Any = GetMessageClass(pool.FindMessageTypeByName("google.protobuf.FileDescriptorSet"))()
    found.ParseFromString(data)
    for file in found.file:
        if not file.name.startswith(PACKAGE.as_posix()):
            file.ClearField("source_code_info")
    slimmed: bytes = found.SerializeToString(deterministic=True)
    return slimmed


def generated(folder: Path) -> dict[str, bytes]:
    """The generated files below a folder, by name."""
    patterns = ("*_pb2*.py", "*_pb2*.pyi", DESCRIPTORS.name)
    return {path.name: path.read_bytes() for pattern in patterns for path in (folder / PACKAGE).glob(pattern)}


def stale() -> list[str]:
    """The generated files that are missing, left over or not what the .proto files compile to."""
    with TemporaryDirectory() as scratch:
        compile_into(Path(scratch))
        fresh, here = generated(Path(scratch)), generated(ROOT)
    return sorted(name for name in fresh.keys() | here.keys() if fresh.get(name) != here.get(name))


def main() -> int:
    parser = argparse.ArgumentParser(description="Compile the contract.")
    parser.add_argument("--check", action="store_true", help="write nothing, say what is not up to date")
    parser.add_argument("--freeze", action="store_true", help="add what is new to the promises of v1")
    wanted = parser.parse_args()
    if wanted.freeze:
        print(f"New promises of v1: {frozen.freeze()}.")
        return 0
    if wanted.check:
        outdated = stale()
        if outdated:
            print(f"Not what the .proto files compile to, run `make proto`: {', '.join(outdated)}", file=sys.stderr)
        return int(bool(outdated))
    for name in generated(ROOT):
        (ROOT / PACKAGE / name).unlink()
    compile_into(ROOT)
    print(f"Compiled {len(sources())} files of the contract.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
