"""The words that mean something to the service, as its own catalogue tells them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import grpc

from alhambra_api.v1 import catalog_pb2, service_pb2_grpc
from alhambra_api.values import from_value

SECONDS = 20.0


@dataclass(frozen=True)
class Catalog:
    """The words that mean something."""

    modules: Mapping[str, list[str]]
    """By key: the variants."""
    editions: list[str]
    options: Mapping[str, list[Any]]
    colours: list[str]
    tiles: Mapping[str, str]
    """By id: the module."""
    verbs: list[str]
    decisions: Mapping[str, tuple[str, list[str]]]
    """By kind: the module, and the answers of standing orders."""
    components: list[tuple[str, str]]
    """Kind and id of each."""

    @classmethod
    def read(cls, channel: grpc.Channel) -> Catalog:
        """As the server tells it."""
        stub = service_pb2_grpc.CatalogServiceStub(channel)
        modules = stub.ListModules(catalog_pb2.ListModulesRequest(), timeout=SECONDS)
        editions = stub.ListEditions(catalog_pb2.ListEditionsRequest(), timeout=SECONDS)
        tiles = stub.ListTiles(catalog_pb2.ListTilesRequest(), timeout=SECONDS)
        components = stub.ListComponents(catalog_pb2.ListComponentsRequest(page_size=1_000), timeout=SECONDS)
        verbs = stub.ListVerbs(catalog_pb2.ListVerbsRequest(), timeout=SECONDS)
        return cls(
            {module.key: [variant.key for variant in module.variants] for module in modules.modules},
            [edition.key for edition in editions.editions],
            {option.key: [from_value(one.value) for one in option.values] for option in editions.options},
            [colour.key for colour in editions.colours],
            {tile.id: tile.module for tile in tiles.tiles},
            [verb.key for verb in verbs.verbs],
            {kind.key: (kind.module, [word.key for word in kind.orders]) for kind in verbs.decisions},
            [(component.kind, component.id) for component in components.components],
        )

    def words(self) -> dict[str, list[str]]:
        """By name of a field: what could stand there."""
        variants = [variant for found in self.modules.values() for variant in found]
        return {
            "modules": list(self.modules),
            "module": [*self.modules, "base"],
            "variants": variants,
            "edition": self.editions,
            "options": list(self.options),
            "entries": list(self.options),
            "colour": self.colours,
            "tile": list(self.tiles),
            "dirk_tiles": list(self.tiles),
            "verb": self.verbs,
            "decision": list(self.decisions),
            "answer": [answer for _, found in self.decisions.values() for answer in found],
            "choice": ["gate"],
            "kind": ["standard", "start", "square", "camp", *sorted({kind for kind, _ in self.components})],
            "id": [thing for _, thing in self.components],
            "server_player": ["random"],
        }
