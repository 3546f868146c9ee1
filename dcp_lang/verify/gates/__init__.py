"""The three gates, each written once over `Arithmetic`; statuses and reasons in the peer's vocabulary."""
