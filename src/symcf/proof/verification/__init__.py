"""Is an explanation right? Checked from the definition, sharing nothing with the engines."""

from symcf.proof.verification.check import Report, verify

__all__ = ["Report", "verify"]
