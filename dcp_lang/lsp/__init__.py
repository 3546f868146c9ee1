"""The language server: `dcp_lang.editing` over the Language Server Protocol, and nothing else."""
