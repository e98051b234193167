"""Everything that users see has a docstring and a type, and nothing else has a type."""
import ast
import inspect
import os
import re
from pathlib import Path

import tact

STUB = ast.parse((Path(tact.__file__).parent / "__init__.pyi").read_text())


def public_names(owner):
    kept = {"__init__", "__len__", "__getitem__", "__copy__", "__deepcopy__", "__array__"}
    return {name for name, value in vars(owner).items()
            if (name in kept and name != "__init__") or not name.startswith("_")}


def test_everything_has_a_docstring():
    assert tact.__doc__
    for name in tact.__all__:
        value = getattr(tact, name)
        assert inspect.getdoc(value), name
        if not inspect.isclass(value) or issubclass(value, Exception):
            continue
        for member in public_names(value) - {"__len__", "__getitem__", "__copy__", "__deepcopy__",
                                             "__array__", "dtype", "ndim"}:
            assert inspect.getdoc(getattr(value, member)), f"{name}.{member}"


def stub_members(node):
    found = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    found |= {part.target.id for part in node.body if isinstance(part, ast.AnnAssign)}
    return found - {"__init__"}


def test_types_are_told_of_all_there_is_and_nothing_else():
    classes = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in STUB.body if isinstance(node, ast.FunctionDef)}
    assert set(classes) | functions == set(tact.__all__)
    for name, node in classes.items():
        value = getattr(tact, name)
        if issubclass(value, Exception):
            continue
        there = set()
        for owner in value.__mro__[:-1]:
            if owner.__module__.startswith("tact"):
                there |= public_names(owner)
        assert stub_members(node) == there, name


def test_arguments_have_the_names_and_defaults_of_their_types():
    for node in STUB.body:
        if not isinstance(node, ast.FunctionDef) or node.args.vararg:
            continue
        signature = inspect.getdoc(getattr(tact, node.name)).splitlines()[0]
        for argument in node.args.args:
            assert re.search(rf"\b{argument.arg}: ", signature), (node.name, argument.arg)
        told = [ast.unparse(value) for value in node.args.defaults]
        assert [part for part in re.findall(r" = ('[^']*'|[^,)]+)", signature)] == told, node.name


def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (Path(os.environ["TACT_ROOT"]) / "docs/python.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) >= 4
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
