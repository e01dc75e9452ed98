"""A report: one HTML file for the people whom the decisions are about, and for those who have to answer them.

    import symcf, symcf.report

    symcf.report.write("report.html", symcf.compile(model), rows, title="Loan applications", immutable=["age"])

The file needs nothing but a browser: styles, scripts, rows and the classifier itself are inside, and nothing is loaded
from anywhere. Needs jinja2 (the extra ``report``).
"""

from symcf.report.page import write

__all__ = ["write"]
