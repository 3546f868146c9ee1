"""The preregistration document: one registration, three renderings, each a view of the frozen JSON alone.

`sections/` says what the document holds, in blocks and lines that know no format; `html`, `markdown` and the templates
say how it looks. Every number is printed as it stands in the JSON.
"""

from dcp_lang.emit.document.render import NoRegistrationError, document_files, extract_registration

__all__ = ["NoRegistrationError", "document_files", "extract_registration"]
