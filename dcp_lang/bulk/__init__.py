"""Checking submissions by the thousand: walk, check in parallel, remember what did not change."""
