"""The preregistration document: one registration, three renderings, each a view of the frozen JSON alone.

`content` fills the content templates with the values of the registration and reads the result as sections of
blocks, which know no format; `html`, `markdown` and the page templates say how these look.
"""

from dcp_lang.emit.document.render import (
    Document,
    NoRegistrationError,
    document_files,
    extract_registration,
)

__all__ = ["Document", "NoRegistrationError", "document_files", "extract_registration"]
