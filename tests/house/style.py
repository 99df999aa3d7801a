"""Measure the shape of the code with the standard library's `ast`: sizes, annotations, docstrings, import cycles."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}
Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | Function


@dataclass(frozen=True)
class Source:
    """A module of the project: its dotted name, its text and its tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module


def read_sources(root: Path, rooms: tuple[str, ...]) -> list[Source]:
    """Return every Python module below the folders *rooms* of *root*, named `ncimp.<room>...`."""
    found = []
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            if not path.is_symlink():
                parts = path.relative_to(root).with_suffix("").parts
                name = ".".join(("ncimp", *parts)).removesuffix(".__init__")
                text = path.read_text(encoding="utf-8")
                found.append(Source(name, path, text, ast.parse(text)))
    return found


def code_lines(source: Source) -> int:
    """Return how many lines hold code: neither blank, nor comment, nor docstring."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type not in NOT_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def functions(source: Source) -> Iterator[Function]:
    """Yield every function and method of *source*."""
    yield from (node for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def function_lines(function: Function) -> int:
    """Return the source lines of *function* without its docstring."""
    length = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    documented = ast.get_docstring(function) is not None
    return length - ((first.end_lineno or first.lineno) - first.lineno + 1 if documented else 0)


def is_annotated(function: Function) -> bool:
    """Tell whether every parameter but self and cls, and the return, carries an annotation."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
    asked = [argument for argument in named if argument.arg not in ("self", "cls")]
    returns = function.returns is not None or function.name == "__init__"
    return returns and all(argument.annotation is not None for argument in asked)


def public_definitions(source: Source) -> Iterator[tuple[str, Documented]]:
    """Yield the module, and its public functions, classes and methods, with their names."""
    yield source.name, source.tree
    scopes: list[tuple[str, Documented]] = [(source.name, source.tree)]
    while scopes:
        prefix, scope = scopes.pop()
        for node in scope.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
                yield f"{prefix}.{node.name}", node
                if isinstance(node, ast.ClassDef):
                    scopes.append((f"{prefix}.{node.name}", node))


def imports(source: Source, known: set[str]) -> set[str]:
    """Return the modules of *known* that *source* imports when it is itself imported."""
    found: set[str] = set()
    for node in _import_time(source.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        else:
            found.add(str(node.module))
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return (found & known) - {source.name}


def _import_time(scope: ast.Module | ast.If | ast.Try) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in scope.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.Try) or (isinstance(node, ast.If) and "TYPE_CHECKING" not in ast.dump(node.test)):
            yield from _import_time(node)


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    """Return one import cycle of *graph* (names in order, first repeated last), or an empty list."""
    done: set[str] = set()

    def walk(name: str, trail: list[str]) -> list[str]:
        if name in trail:
            return [*trail[trail.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph[name]):
            cycle = walk(other, [*trail, name])
            if cycle:
                return cycle
        done.add(name)
        return []

    return next((cycle for name in sorted(graph) if (cycle := walk(name, []))), [])
