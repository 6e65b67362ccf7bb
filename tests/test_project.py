"""Habits of the project that a test can keep: clean files, pure rules, a lock that names no address."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RULES = ROOT / "rules" / "alhambra"

# Names are put together from pieces, so that this file does not contain them.
REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pypi", "python", "org"),
        ("pythonhosted", "org"),
        ("npmjs", "org"),
        ("npmjs", "com"),
        ("yarnpkg", "com"),
        ("crates", "io"),
        ("anaconda", "org"),
        ("deb", "debian", "org"),
    )
)
MACHINE_PATHS = tuple(f"/{folder}/" for folder in ("work", "root", "Users"))

IMPURE = {
    *("datetime", "time"),  # clocks
    *("random", "uuid"),  # global sources of randomness
    *("glob", "logging", "mmap", "os", "pathlib", "platform", "shelve", "shutil", "sqlite3", "tempfile"),  # files
    *("ftplib", "http", "select", "selectors", "smtplib", "socket", "socketserver", "ssl", "urllib", "webbrowser"),
    *("_thread", "asyncio", "concurrent", "queue", "threading"),
    *("ctypes", "multiprocessing", "signal", "subprocess"),  # other processes, foreign code
}
IMPURE_CALLS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}


@cache
def tracked_files() -> tuple[Path, ...]:
    """The files of the git tree, those not yet committed included."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ()
    return tuple(path for name in listing.split("\0") if name and (path := ROOT / name).is_file())


@cache
def texts() -> dict[str, str]:
    """The text files of the tree by name, read once."""
    found = {}
    for path in tracked_files():
        try:
            found[str(path.relative_to(ROOT))] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return found


def files_with(pattern: str) -> list[str]:
    """Where the pattern stands in a text file of the tree, as `file:line`."""
    if not tracked_files():
        pytest.skip("not a git tree")
    return [
        f"{name}:{n}"
        for name, text in texts().items()
        if re.search(pattern, text)
        for n, line in enumerate(text.splitlines(), 1)
        if re.search(pattern, line)
    ]


@pytest.mark.parametrize("host", REGISTRY_HOSTS)
def test_no_file_names_a_package_registry(host: str) -> None:
    assert files_with(rf"(?i)(?<![\w-]){re.escape(host)}(?![\w-])") == []


def test_no_file_tells_to_install_another_project_of_the_same_name() -> None:
    """The distribution is `alhambra-rules`; `alhambra` is only what is imported."""
    assert files_with(r"\binstall\b[^#]*[\s'\"`]alhambra(?=[\['\"`\s=]|$)") == []


@pytest.mark.parametrize("folder", MACHINE_PATHS)
def test_no_file_names_a_folder_of_a_machine(folder: str) -> None:
    assert files_with(rf"(?<![\w.$)}}-]){re.escape(folder)}\w") == []


def test_every_text_file_ends_with_a_newline() -> None:
    if not tracked_files():
        pytest.skip("not a git tree")
    contents = {path: path.read_bytes() for path in tracked_files()}
    unfinished = [path for path, data in contents.items() if data and b"\0" not in data and not data.endswith(b"\n")]
    assert [str(path.relative_to(ROOT)) for path in unfinished] == []


def test_the_lock_pins_every_package_by_hash_and_nothing_else() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.sub(r"#.*|\\\n", "", lock).split("\n")
    for entry in filter(str.strip, entries):
        assert re.fullmatch(r"[a-z0-9-]+==[0-9][\w.]*(\s+--hash=sha256:[0-9a-f]{64})+\s*", entry), entry


def test_every_package_is_in_the_wheel_and_typed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    packages = {ROOT / name for name in included if name not in ("docs", "clients/typescript/src")}
    parents = ("rules", "proto", "runtime", "service", "gateway", "cli")
    assert packages == {init.parent for parent in parents for init in (ROOT / parent).glob("*/__init__.py")}
    assert [package.name for package in packages if not (package / "py.typed").is_file()] == []


# The rules are pure ------------------------------------------------------------------------------------------------


EXTRA = RULES / "envs"
"""Environments for machine learning need the extra `rl`, and no other part of the rules imports them."""


@cache
def rules_files() -> dict[str, ast.Module]:
    """The syntax of every file of the rules but those of the extra, by its name."""
    files = [path for path in sorted(RULES.rglob("*.py")) if not path.is_relative_to(EXTRA)]
    return {path.relative_to(RULES).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in files}


def for_types_only(tree: ast.Module) -> set[ast.AST]:
    """Everything under `if TYPE_CHECKING:`, which never runs."""
    guarded = [
        node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    return {inner for node in guarded for statement in node.body for inner in ast.walk(statement)}


def imports(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Each absolute import with the module that it names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node, node.module or ""


def test_the_rules_do_not_import_their_extra() -> None:
    for file, tree in rules_files().items():
        relative = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        assert "envs" not in relative, file
        assert [name for _, name in imports(tree) if name.startswith("alhambra.envs")] == [], file


def test_the_rules_import_only_the_standard_library_and_themselves() -> None:
    known = {*sys.stdlib_module_names, "alhambra"}
    for file, tree in rules_files().items():
        assert [name for _, name in imports(tree) if name.partition(".")[0] not in known] == [], file


def test_the_rules_reach_no_clock_file_socket_thread_or_global_chance() -> None:
    for file, tree in rules_files().items():
        impure = [node for node, name in imports(tree) if name.partition(".")[0] in IMPURE]
        assert not impure or set(impure) <= for_types_only(tree), file


def test_the_rules_neither_read_nor_print() -> None:
    for file, tree in rules_files().items():
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        assert [name.id for name in calls if isinstance(name, ast.Name) and name.id in IMPURE_CALLS] == [], file
