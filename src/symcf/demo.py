"""The paper's running example, from probabilities to counterfactuals: ``python -m symcf.demo``."""

from __future__ import annotations

import symcf

__all__ = ["admission", "main"]


def admission() -> symcf.NaiveBayes:
    """Who is admitted to a school (Boumazouza et al. 2020, section 3)."""
    return symcf.NaiveBayes.binary(
        prior=0.3,
        p1=[0.40, 0.96, 0.97, 0.70],
        p0=[0.15, 0.10, 0.11, 0.20],
        features=["entrance exam", "work experience", "GPA", "first application"],
        classes=["rejected", "admitted"],
    )


def main() -> None:
    """Explains the two applicants of the paper."""
    compiled = symcf.compile(admission(), order="natural")
    diagram = compiled.diagram
    print(f"{compiled.model}: an OBDD of {diagram.size} nodes; {diagram.count_models()} of 16 applicants are admitted")
    print("\nits off-set paths as clauses (the paper's CNF):")
    for clause in compiled.cnf().clauses():
        print("  ", *clause)
    for applicant in ([1, 0, 1, 0], [0, 0, 1, 0]):
        explanation = compiled.explain(applicant)
        print(f"\napplicant {tuple(applicant)}: {explanation}")


if __name__ == "__main__":
    main()
