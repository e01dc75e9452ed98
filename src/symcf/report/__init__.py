"""A report: one HTML file for the people whom the decisions are about, and for those who answer their questions.

    import symcf, symcf.report

    symcf.report.write("report.html", symcf.compile(model), rows, title="Loan applications", immutable=["age"])

    symcf.report.show(symcf.compile(model), rows, target="approved")  # in a notebook

The file needs only a browser: styles, scripts, rows and the classifier itself are inside, and nothing is loaded from
elsewhere. Needs jinja2 (the extra ``report``).
"""

from symcf.report.audit_page import write_audit
from symcf.report.page import Page, show, write, write_each

__all__ = ["Page", "show", "write", "write_audit", "write_each"]
