"""`dcpc plan --plot`: the chance that the whole audit passes the recovery gate, as one SVG file."""

from __future__ import annotations

from dcp_lang.emit.document.plot import Curve, plot
from dcp_lang.emit.figures import document_figures
from dcp_lang.sema.model import TypedRegistration
from dcp_lang.sema.plan import RECOVERY


def plan_plot(reg: TypedRegistration) -> bytes:
    """Pr(no hit in n) against the true recovery probability; black on white, same bytes on every run."""
    rows = document_figures(reg)["recovery"]["operating"]
    expected = next((row["truth"] for row in rows if row.get("expected")), None)
    points = tuple((row["truth"], row["passes"]) for row in rows)
    curve = Curve(points, "true recovery probability of an episode", expected)
    title = f"Probability that none of {reg.count(RECOVERY)} challengers recovers"
    svg = plot(curve, title)
    return (svg if svg.endswith("\n") else svg + "\n").encode()
