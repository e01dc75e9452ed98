"""Is an answer right? Certificates, the checker of certificates, and `verify`."""
