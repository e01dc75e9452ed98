"""MCS enumeration on Σf: in CaDiCaL through C (`engine`), or through PySAT's public interface (`portable`)."""
