"""The package for npm: what is in it, and that a TypeScript program can be written against it."""

import gzip
import json
import re
import shutil
import tarfile
from pathlib import Path

import pytest

from scripts import typescript_client
from tests.gateway import node
from tests.gateway.product import Product

from .node_tests import LIBRARY, run

PROGRAM = """
import { Client, IllegalMove, type GameEvent, type ListedMove, type View } from "alhambra-client";

const client = new Client(process.argv[2] ?? "", { language: "de", retry: { seconds: 60 } });
const created = await client.createGame([{ name: "Ann", claim: true }, { serverPlayer: "random" }]);
const game = created.seats[0];
if (!game) throw new Error("The seat is claimed.");
const happened: GameEvent[] = [];
let count = 0;
for await (const list of game.turns({ texts: true })) {
  const first: ListedMove | undefined = list.moves[0];
  if (!first) throw new Error("A seat that is asked has a legal move.");
  const text: string = first.text;
  happened.push(...(await game.play(first)).events);
  count += text ? 1 : 0;
  if (count === 5) break;
}
try {
  await game.play({ verb: "take_money", display: ["gulden-1", "gulden-1"] });
} catch (error) {
  if (!(error instanceof IllegalMove)) throw error;
  const reasons: string[] = error.violations.map(({ code }) => code);
  const view: View = game.view;
  const components = await client.send("listComponents", { kind: "tile", pageSize: 1 });
  for await (const message of game.watch())
    if (message.type === "snapshot") {
      console.log(JSON.stringify({ count, reasons, status: view.status, tiles: components.components.length }));
      break;
    }
}
"""
MISTAKES = {
    "an_unknown_member": ("error.violations", "error.violation"),
    "a_text_for_a_number": ("pageSize: 1", 'pageSize: "1"'),
    "an_unknown_operation": ('"listComponents"', '"listComponent"'),
    "an_unknown_option": ("language:", "langage:"),
    "a_seat_that_may_be_absent": ('if (!game) throw new Error("The seat is claimed.");', ""),
    "a_member_of_another_message": ("JSON.stringify({ count", "JSON.stringify({ e: message.event, count"),
}
CONFIGURATION = {
    "compilerOptions": {
        "target": "es2022",
        "module": "nodenext",
        "lib": ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
        "types": ["node"],
        "strict": True,
        "exactOptionalPropertyTypes": True,
        "noUncheckedIndexedAccess": True,
        "allowJs": True,
        "checkJs": True,
        "outDir": "built",
    },
    "include": ["*.ts", "*.mjs", "*.js"],
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return typescript_client.pack(tmp_path_factory.mktemp("packed"))


@pytest.fixture
def project(package: Path, tmp_path: Path) -> Path:
    """A folder in which the package is installed, and nothing else but the types of Node.js."""
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    (tmp_path / "tsconfig.json").write_text(json.dumps(CONFIGURATION))
    words = ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", str(package)]
    run([str(node.NPM), *words], tmp_path, {"HOME": str(tmp_path)})
    for name in ("@types", "undici-types"):
        shutil.copytree(node.PACKAGES / "node_modules" / name, tmp_path / "node_modules" / name)
    return tmp_path


def test_the_package_holds_code_types_readme_licence_and_examples(package: Path) -> None:
    with tarfile.open(package) as opened:
        names = {name.removeprefix("package/") for name in opened.getnames()}
    code = {path.name for path in (LIBRARY / "src").glob("*.js")}
    expected = {"package.json", "README.md", "LICENSE"} | {f"src/{name}" for name in code}
    expected |= {f"types/{name.removesuffix('.js')}.d.ts" for name in code}
    expected |= {f"examples/{path.name}" for path in (LIBRARY / "examples").iterdir()}
    assert names == expected


def test_the_readme_states_its_sizes(package: Path) -> None:
    readme = (LIBRARY / "README.md").read_text("utf-8")
    files = [path.read_bytes() for path in (LIBRARY / "src").glob("*.js")]
    found = re.search(r"The package has (\d+) kB\..*?loads (\d+) kB in (\d+) files, or\s(\d+) kB", readme, re.DOTALL)
    assert found is not None
    packed, loaded, count, compressed = map(int, found.groups())
    assert count == len(files)
    assert packed == pytest.approx(package.stat().st_size / 1000, rel=0.05)
    assert loaded == pytest.approx(sum(map(len, files)) / 1000, rel=0.05)
    assert compressed == pytest.approx(sum(len(gzip.compress(each)) for each in files) / 1000, rel=0.05)


def test_the_sources_are_strictly_typed(tmp_path: Path) -> None:
    shutil.copytree(LIBRARY / "src", tmp_path / "src")
    shutil.copy(LIBRARY / "tsconfig.json", tmp_path)
    node.run([node.tool("tsc")], tmp_path)
    (tmp_path / "src" / "wrong.js").write_text('import { Call } from "./calls.js";\nnew Call("noSuchCall", {});\n')
    with pytest.raises(AssertionError, match="noSuchCall"):
        node.run([node.tool("tsc")], tmp_path)


def test_a_program_compiles_strictly_against_the_package_and_plays(project: Path, product: Product) -> None:
    (project / "program.ts").write_text(PROGRAM)
    node.run([node.tool("tsc")], project)
    said = json.loads(run(["built/program.js", product.http], project))
    assert said["count"] == 5 and said["reasons"] and (said["status"], said["tiles"]) == ("running", 1)


def test_the_examples_are_strictly_typed(project: Path) -> None:
    for path in (LIBRARY / "examples").glob("*js"):
        shutil.copy(path, project)
    node.run([node.tool("tsc"), "--noEmit", "--exactOptionalPropertyTypes", "false"], project)


def test_a_mistake_in_a_program_does_not_compile(project: Path) -> None:
    for name, (right, wrong) in MISTAKES.items():
        assert PROGRAM.count(right) == 1, name
        (project / f"{name}.ts").write_text(PROGRAM.replace(right, wrong))
    (project / "program.ts").write_text(PROGRAM)
    with pytest.raises(AssertionError) as failure:
        node.run([node.tool("tsc"), "--noEmit"], project)
    found = set(re.findall(r"^(\w+)\.ts\(\d+,\d+\): error TS\d+", str(failure.value), re.MULTILINE))
    assert found == set(MISTAKES)
