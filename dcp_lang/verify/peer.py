"""What dcp-audit itself says about a bundle, where it is installed (the extra `audit`)."""

from pathlib import Path


def peer_verdict(bundle_dir: Path) -> str | None:
    """One line from the peer's own verification; None when it is not installed."""
    try:
        from dcp.bundle import verify_bundle
    except ImportError:
        return None
    try:
        report = verify_bundle(bundle_dir)
    except RecursionError:
        # dcp-audit 0.4.2 does not guard against deep JSON.
        return "failed: RecursionError"
    if not report["ok"]:
        return "replay failed: " + "; ".join(report["errors"])
    verdict = report["replayed_verdict"]
    return f"replay verified, Core {verdict['core']}, Evidence {verdict['evidence']}"
