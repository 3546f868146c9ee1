"""dcp-lang: registrations of the Discovery Certification Protocol as code."""

__version__ = "0.1.0"
