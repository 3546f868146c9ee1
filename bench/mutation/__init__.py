"""Faulty registrations by the thousand: good ones, typed mutations of them, and a verdict from outside the rules."""
