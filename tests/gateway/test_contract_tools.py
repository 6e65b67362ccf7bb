"""The contract as it is shipped works with the tools of others: Buf, protoc, and gRPC for Node.js."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.proto import DESCRIPTORS, ROOT, includes, sources

from . import node
from .product import Product

CONFIG = ROOT / "buf.yaml"
RELEASED = sorted((ROOT / "frozen").glob("v1-*.binpb"))
ONLY_OURS = ("--path", "alhambra_api")

LOADER = """\
import { readFileSync } from "node:fs";
import { loadFileDescriptorSetFromBuffer } from "@grpc/proto-loader";
import grpc from "@grpc/grpc-js";

const [file, address] = process.argv.slice(2);
const contract = grpc.loadPackageDefinition(loadFileDescriptorSetFromBuffer(readFileSync(file)));
const catalog = new contract.alhambra_api.v1.CatalogService(address, grpc.credentials.createInsecure());
catalog.ListEditions({}, (problem, answer) => {
  if (problem) throw problem;
  console.log(JSON.stringify(answer.editions.map((edition) => edition.key)));
  catalog.close();
});
"""


def buf(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run Buf on descriptor sets, which need no network."""
    command = [node.NODE, node.tool("buf"), *arguments, "--config", CONFIG, *ONLY_OURS]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=node.PATIENCE, check=False)


def test_buf_finds_nothing_against_the_style_of_the_contract() -> None:
    done = buf("lint", DESCRIPTORS)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.stem)
def test_buf_finds_no_change_that_breaks_clients_of_a_release(released: Path) -> None:
    done = buf("breaking", DESCRIPTORS, "--against", released)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_buf_finds_a_field_that_was_removed(tmp_path: Path) -> None:
    """So the check above bites."""
    for source in sources():
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / source).read_text(encoding="utf-8")
        (tmp_path / source).write_text(text.replace("  int32 version = 2;", "", 1), encoding="utf-8")
    paths = [f"--proto_path={path}" for path in (tmp_path, *includes()[1:])]
    broken = tmp_path / "broken.binpb"
    command = [sys.executable, "-m", "grpc_tools.protoc", *paths, "--include_imports"]
    subprocess.run([*command, f"--descriptor_set_out={broken}", *sources()], cwd=tmp_path, check=True)
    done = buf("breaking", broken, "--against", RELEASED[0])
    assert done.returncode != 0
    assert "version" in done.stdout


def test_grpc_for_node_loads_the_descriptor_set_and_calls_the_service(product: Product, tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(node.PACKAGES / "node_modules")
    (tmp_path / "call.mjs").write_text(LOADER, encoding="utf-8")
    shutil.copy(ROOT / DESCRIPTORS, tmp_path / "contract.binpb")
    said = node.run(["call.mjs", "contract.binpb", product.grpc], tmp_path)
    assert "de_revised_2019" in json.loads(said)


def test_the_commands_of_the_readme_compile_the_contract(tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    command = text.partition("```sh\n")[2].partition("```")[0]
    assert "protoc" in command
    script = command.replace("python ", f"{sys.executable} ").replace("--python_out=out", f"--python_out={tmp_path}")
    subprocess.run(["bash", "-euc", script], cwd=ROOT.parent, check=True, timeout=node.PATIENCE)
    assert (tmp_path / "alhambra_api" / "v1" / "games_pb2.py").is_file()
