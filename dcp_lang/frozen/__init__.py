"""Frozen registrations for those who consume them: strict reading, typed values, certificates rechecked.

Knows the field table and the canonical form, and nothing of the compiler: what it says of a file does not
rest on the code that wrote the file.
"""

from dcp_lang.frozen.fault import FrozenFault
from dcp_lang.frozen.load import load_registration, read_registration
from dcp_lang.frozen.model import Field, Plan, Profile, Registration, RuleStatus, Size, Slot, Waiver

__all__ = [
    "Field",
    "FrozenFault",
    "Plan",
    "Profile",
    "Registration",
    "RuleStatus",
    "Size",
    "Slot",
    "Waiver",
    "load_registration",
    "read_registration",
]
