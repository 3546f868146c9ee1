"""`dcpc plan FILE`"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dcp_lang.cli.common import read_compilation, show
from dcp_lang.cli.what_if import what_if


@click.command("plan")
@click.argument("file", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
@click.option("--plot", type=click.Path(path_type=Path), help="Write the operating characteristic as SVG.")
@click.option("--what-if", "changes", multiple=True, metavar="FIELD=VALUE", help="Plan with another value.")
@click.option("--selftest", is_flag=True, help="Check the formulas against brute force, oracle and kernel.")
def command(
    file: str | None, as_json: bool, plot: Path | None, changes: tuple[str, ...], selftest: bool
) -> int:
    """Show every sample size, why it is needed, and what the audit takes.

    A plan is shown as soon as its sizes are known, even when something else is at fault; the exit code is then 1.
    """
    if selftest:
        from dcp_lang.cli.selftest import selftest as run

        return run()
    if file is None:
        raise click.UsageError("name a registration, or use --selftest")
    compilation = read_compilation(file)
    if changes:
        compilation = what_if(compilation, changes)
    show(compilation.diagnostics)
    if compilation.analysis is None or not compilation.analysis.registration.plan.is_complete:
        return 1
    registration = compilation.analysis.registration
    code = 0 if compilation.is_sound else 1
    if plot is not None:
        from dcp_lang.emit.atomic import write_file
        from dcp_lang.emit.plan_plot import plan_plot

        write_file(plot, plan_plot(registration))
    if as_json:
        from dcp_lang.canonical import canonical_bytes
        from dcp_lang.emit.assurance import assured_design, unsearched
        from dcp_lang.emit.plan import plan_report

        report = plan_report(registration)
        extras = {"assured_design": assured_design(registration), "unsearched": unsearched(registration)}
        report |= {name: value for name, value in extras.items() if value}
        sys.stdout.buffer.write(canonical_bytes(report) + b"\n")
        return code
    from dcp_lang.cli.plan_table import plan_table

    click.echo(plan_table(registration))
    return code
