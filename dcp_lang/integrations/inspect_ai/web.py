"""Web access by dcp-harness's own gateway: recorded in the main run, replayed in every other episode.

What the main run fetched is frozen when it has ended. Branches may ask for the recorded pages again; challengers
find all of them in their workspace, and the registered snapshot is what both sides saw.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dcp_harness.util import HarnessError
from dcp_harness.web import (
    REQUEST_SCHEMA,
    CaptureGateway,
    Fetcher,
    ReplayGateway,
    WebPolicy,
    privileged_packet,
)

#: The file in a challenger's workspace with every page that the main run saw, as dcp-harness names it.
PACKET = "WEB_PRIVILEGED.json"


class WebError(ValueError):
    """A request that the registered access does not allow; the model sees the reason."""


class Web:
    """The snapshot in the folder `root` under a registered policy; `fetcher` stands for the network."""

    def __init__(self, root: Path, policy: WebPolicy, fetcher: Fetcher | None) -> None:
        self.root, self.policy, self._fetcher = root, policy, fetcher

    @property
    def enabled(self) -> bool:
        """Whether any access is registered."""
        return bool(self.policy.enabled)

    def fetch(self, live: bool, requests: list[dict[str, Any]], batch: str) -> dict[str, Any]:
        """The pages that `requests` (each with `query` and `url`) ask for, told alike live and replayed."""
        rows = [
            {"request_id": f"page-{number}", "query": row.get("query", ""), "url": row.get("url", "")}
            for number, row in enumerate(requests, start=1)
        ]
        document = {"schema": REQUEST_SCHEMA, "requests": rows}
        try:
            gateway = self._capture().capture if live else ReplayGateway(self.root).replay
            return {"results": gateway(document, batch_id=batch)["results"]}
        except HarnessError as refusal:
            raise WebError(str(refusal)) from refusal

    def _capture(self) -> CaptureGateway:
        return CaptureGateway(self.root, self.policy, self._fetcher)

    def freeze(self) -> dict[str, Any]:
        """The manifest of what the main run saw, made once; later calls check the snapshot against it."""
        if not (self.root / "manifest.json").is_file():
            self._capture().finalize()
        return dict(ReplayGateway(self.root).manifest)

    def packet(self) -> dict[str, Any]:
        """Every frozen page, for challengers."""
        return dict(privileged_packet(self.root))
