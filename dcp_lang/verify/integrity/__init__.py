"""Does the evidence hang together? Schema, hashes, contracts and ledgers, before any score is compared.

Nothing here depends on how numbers are compared: `inspect` runs once, and both views of the gates use its
findings. The texts and their order are part of the peer's certificate format (dcp-audit 0.4.2).
"""

from dcp_lang.verify.integrity.findings import Findings, inspect

__all__ = ["Findings", "inspect"]
