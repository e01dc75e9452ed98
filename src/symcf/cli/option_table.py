"""What each argument and option of the commands is called and means.

A command is a function; its parameters have their types and defaults there, and everything else here, under their
names. ``command.parameter`` is for one command alone. Without a spelling, an option is spelled like its parameter.
"""

from __future__ import annotations

from functools import partial

from symcf.cli.declared import Argument, Option

__all__ = ["TABLE", "writing"]

asking = partial(Option, panel="What is asked")
reading = partial(Option, panel="Reading")
writing = partial(Option, panel="Running and writing")
limit = partial(Option, panel="Limits (exit code 1 if one is broken)")

TABLE: dict[str, Argument | Option] = {
    # arguments
    "model": Argument("MODEL", "Saved by symcf compile, JSON, CNBC text, or (--trust) scikit-learn."),
    "data": Argument("DATA", "A table: CSV, TSV, JSON (lines), Parquet or Arrow, also as .gz; - is stdin."),
    "check.certificate": Argument("CERTIFICATE", "A file with a certificate, or one per line, or a log; - is stdin."),
    "check.model": Argument("MODEL", "The model that it should be about."),
    "completion.shell": Argument("SHELL", "bash, zsh or fish."),
    "diff.first": Argument("MODEL1", "The classifier to start from."),
    "diff.second": Argument("MODEL2", "The classifier to compare it with."),
    "dot.data": Argument("DATA", "Highlight the path of a row."),
    "locked-out.data": Argument("DATA", "A table of rows to look at; without it, all possible rows are."),
    "goal.model": Argument("LABELS", "A model of several labels, as MultiLabel.save writes it."),
    "log.certificate": Argument("CERTIFICATE", "A file with a certificate, or one per line; - is stdin."),
    "log.log_file": Argument("LOG", "The log; it is made if there is none."),
    "info.model": Argument("MODEL", "The model to describe."),
    # what is asked
    "target": asking("CLASS", "The wanted class; by default any other.", names="class"),
    "min_probability": asking("P", "The least probability that the class of --target is to have, such as 0.8."),
    "at_least": asking("V", "Wanted: this prediction of a regressor, or more."),
    "at_most": asking("V", "Wanted: this prediction of a regressor, or less."),
    "between": asking("A..B", "Wanted: a prediction from A to B."),
    "of_score": asking(
        "", "--at-least, --at-most and --between are about the score of a classifier, its decision function."
    ),
    "with_model": asking("MODEL", "A further model that has to decide for --target, too. May be repeated."),
    "margin": asking(
        "M", "By how much the score has to pass the cut towards --target; with more classes, to lead the others."
    ),
    "width": asking(
        "FEATURE=W",
        "Every row whose number is this far away, or less, has to reach --target, too. May be repeated.",
        names="feature=",
    ),
    "immutable": asking("FEATURE", "A feature that must stay. May be repeated, or a,b,c.", names="feature"),
    "protected": asking(
        "FEATURE", "A feature that no decision should depend on. May be repeated, or a,b,c.", names="feature"
    ),
    "allowed": asking(
        "FEATURE=WHAT", "increase, decrease, or the values it may take: a|b|c. May be repeated.", names="feature="
    ),
    "constraint": asking(
        "RULE", 'A rule that counterfactuals must obey, "married = yes -> age != child". May be repeated.'
    ),
    "min_plausibility": asking(
        "SHARE",
        "Only rows at least as likely as this share of the data, such as 0.05; see compile --plausible.",
        min=0,
        max=1,
    ),
    "cost": asking(
        "FEATURE=COST",
        "Cost of changing it (default 1): a number, ordinal (1 per step), distance (how far a number moves), or JSON "
        "by new value. A word without FEATURE= is for all. May be repeated.",
        names="feature=cost",
    ),
    "scale": asking(
        "SCALE",
        "For --cost distance: mad, std or range of the rows in --scale-data, or FEATURE=NUMBER. May be repeated.",
        names="feature=",
    ),
    "scale_data": asking("FILE", "Rows to take the scales from, such as DATA itself."),
    "max_changes": asking("N", "The most features to change.", min=0),
    "k": asking("--k -k N", "Only the N cheapest of each row.", min=1),
    "minimality": asking(
        "", "No feature could stay (features), or be moved less far (moves, the default of -k with distances)."
    ),
    "select": asking(
        "", "New values: the nearest; of the cheapest the surest, or the likeliest (compile --plausible); or all."
    ),
    "resolution": asking("FEATURE=STEP", "What new numbers are to be multiples of. May be repeated.", names="feature="),
    "diverse": asking("N", "Of all (or the -k cheapest), the N that differ most.", min=1),
    "group": asking("COLUMN", "A feature, or any other column of DATA: its values are the groups.", names="column"),
    "audit.monotone": asking(
        "FEATURE=WHAT",
        "increasing or decreasing: how the target should depend on it. May be repeated. Always a limit.",
        names="feature=",
    ),
    "audit.previous": asking("MODEL", "An earlier version: do its suggestions still lead there?", names="file"),
    "audit.proxies": asking("", "What other features tell about protected ones and the group."),
    "audit.confidence": asking("SHARE", "If the rows are a sample: the confidence of intervals, such as 95%."),
    "explain.groups": asking(
        "", "List features, no values; sets that differ in one together: a, plus any one of (b, c). Of tables only."
    ),
    "explain.pareto": asking(
        "MEASURES",
        "Of each row only what no other answer beats in two or more of changes, cost, distance, plausibility and "
        "probability: changes,cost. Of what is found: leave out -k.",
    ),
    "why.principal": asking(
        "N", "Only the N features in most reasons, in words, as in a notice of adverse action (usually 4).", min=1
    ),
    "target_column": asking("COLUMN", "The column that holds the wanted class of each row.", names="column"),
    "immutable_column": asking(
        "COLUMN", "The column that holds what must stay in each row, with commas in between.", names="column"
    ),
    "allowed_column": asking(
        "COLUMN", 'The column that holds what is allowed in each row, such as {"income": "increase"}.', names="column"
    ),
    "cost_column": asking(
        "COLUMN", 'The column that holds what changes of each row cost, such as {"income": 2}.', names="column"
    ),
    "max_changes_column": asking("COLUMN", "The column that holds the most changes of each row.", names="column"),
    "why.precision": asking(
        "SHARE", "Instead: the fewest facts with which this share of rows, such as 0.95, is decided alike."
    ),
    "why.precision_data": asking(
        "FILE", "For --precision: the rows to count, such as DATA itself; without it, all possible rows.", names="file"
    ),
    "why.general": asking("", "Each condition of a reason as wide as it can be: ranges and sets of values."),
    # limits of an audit
    "audit.max_locked_out": limit("N", "Rows, or a share (5%) of those not at the target."),
    "audit.max_bias": limit("N", "Rows, or a share, that protected features decide."),
    "audit.max_undecided": limit("N", "Rows, or a share, of which it is not known."),
    "audit.min_held": limit("N", "Of the suggestions of --previous, how many, or what share, must hold."),
    "audit.max_proxy": limit("SHARE", "How often a group may be guessed from another feature, such as 75%."),
    "audit.policy": limit("FILE", "What is asked, and the rules (symcf policy).", names="file"),
    # reading
    "row": reading("N", "The number of the row in DATA, from 1, if it has several.", min=1),
    "explain.row": reading("N", "Only this row of DATA, from 1; by default all.", min=1),
    "why.row": reading("N", "Only this row of DATA, from 1; by default all.", min=1),
    "trust": reading("", "Read a pickle, joblib or skops file, which can run any program hidden in it."),
    "input_format": reading("", "The format of DATA; auto goes by its name."),
    "delimiter": reading("CHAR", "The character between the cells of CSV, or tab."),
    "decimal": reading("", "What stands before the decimals of numbers in CSV."),
    "encoding": reading("NAME", "The encoding of text."),
    "no_header": reading("", "The first line is a row; columns come in the classifier's order."),
    "cells": reading("", "Do cells hold labels of values or their codes? auto: either."),
    "extra": reading("", "Leave out columns that the classifier does not know."),
    "id": reading("COLUMN", "The column that names the rows; copied to the output.", names="column"),
    "mark_bad_rows": reading(
        "", 'Continue after a row that cannot be read; its status is "invalid", its problem is told.'
    ),
    "report.mark_bad_rows": reading("", "Leave out rows that cannot be read, and tell why."),
    # running and writing
    "max_results": writing("N", "Stop after N change sets of a row.", min=1),
    "time_limit": writing("SECONDS", "Seconds for the whole command; exit code 3 if they run out.", min=0),
    "engine": writing("", "They differ in speed, not in the answer."),
    "jobs": writing("--jobs -j N", "Threads; -1 is one per processor.", min=-1),
    "format": writing("--format -f", "Of the output; by default what the name of FILE says, or a table."),
    "output": writing("--output -o FILE", "Write to a file, not to stdout; it appears when it is complete."),
    "audit.junit": writing("FILE", "Also write the rules as JUnit XML, for CI.", names="file"),
    "audit.page": writing("FILE", "Also write an HTML page to read.", names="file"),
    "explain.rows": writing(
        "", "Write the changed rows instead of the changes: all columns of the file, ready for the classifier."
    ),
    "goal.output": writing("-o --output FILE", "The classifier to write."),
    # options of single commands
    "check.fingerprint": Option("SHA256", "The fingerprint of the model it should be about."),
    "check.number": Option("NUMBER", "The number it should have."),
    "check.page": Option("FILE", "Write a page that checks certificates in any browser, and stop.", names="file"),
    "check.root": Option("ROOT", "The root of the batch that it should be a row of."),
    "check.signature": Option("FILE", "The signature of CERTIFICATE; by default CERTIFICATE.sig.", names="file"),
    "check.signed_by": Option(
        "FILE", "Who may sign: lines of a name and a public key, as ssh-keygen reads them.", names="file"
    ),
    "check.steps": Option("N", "Give up after so many steps (default: 2**31, a quarter of an hour)."),
    "check.trust": Option("", "Read a pickle, joblib or skops file, which can run any program hidden in it."),
    "clauses": Option("", "How the decision becomes clauses."),
    "cnf.max_clauses": Option("N", "Refuse more.", min=1),
    "cnf.negate": Option("", "Negate: of all decisions but this one."),
    "compile.data": Option(
        "FILE",
        "Rows like those that a model of another library was fitted on: the ranges of its numbers.",
        names="file",
    ),
    "compile.diagram": Option(
        "--diagram/--no-diagram",
        "Build the decision diagrams now, or when they are first needed; by default now if explanations need them. "
        "Sums of weights (naive Bayes, linear models) do not.",
    ),
    "compile.max_memory": Option("MIB", "For building it.", min=1),
    "compile.max_nodes": Option("N", "Of a diagram.", min=1),
    "compile.order": Option("", "The order of the features in the diagram."),
    "compile.output": Option("--output -o FILE", "The file to write, such as loans.symcf."),
    "compile.plausible": Option("DATA", "Rows that tell what is plausible: CSV or Parquet.", names="file"),
    "compile.time_limit": Option("SECONDS", "For building it.", min=0),
    "diff.boxes": Option("N", "The most boxes to describe a change of class by.", min=1),
    "diff.data": Option("DATA", "Rows to compare them on, too."),
    "dot.counterfactual": Option("", "Also highlight the path of the row's cheapest counterfactual."),
    "goal.label": Option("NAME=CLASS", "What a label has to be; give it once for each label."),
    "certify.sign": writing("KEY", "Sign the certificate with this private key; needs ssh-keygen.", names="file"),
    "certify.why": asking("", "Certify the reasons for the decision, not the ways to another one."),
    "letter.allow": Option(
        "FEATURE",
        "What may be named: a,b,c, may be repeated; or all. By default all that is not protected.",
        names="feature",
    ),
    "letter.certificate": Option("FILE", "Write the certificate here; its number is quoted."),
    "letter.date": Option("TEXT", "As it is to be written."),
    "letter.language": Option("", "Of the letter."),
    "letter.output": Option("--output -o FILE", "The HTML file to write; - is stdout."),
    "letter.paper": Option("", "The size of the page."),
    "letter.person": Option("TEXT", "Whom the letter is for."),
    "letter.probability": Option("", "Show the probability of the decision."),
    "letter.sender": Option("TEXT", "Whom it is from."),
    "letter.unit": Option("FEATURE=UNIT", "Of the numbers of a feature; may be repeated", names="feature="),
    "letter.ways": Option("N", "How many ways to the other decision.", min=1),
    "letter.wording": Option("FILE", "A TOML file with other words for some sentences."),
    "letters.date": Option("DATE", "2026-11-18, or any text; default: today."),
    "letters.force": Option("", "Write all letters anew, whatever DIR holds."),
    "letters.language": Option("", "By default the policy's."),
    "letters.output": Option("--output -o DIR", "The directory to write letters to."),
    "letters.pdf": Option("", "Also print each letter to PDF, with Chromium."),
    "letters.no_sandbox": Option("", "With --pdf: Chromium runs without its sandbox, as root has to."),
    "letters.policy": Option("FILE", "What letters may say (symcf policy).", names="file"),
    "letters.reference": Option("FILE", "Rows that points are compared with; default: DATA.", names="file"),
    "of": Option("CLASS", "The class whose decision is meant; the second by default.", names="class"),
    "paper.classifiers": Option("N", "Of each size.", min=1),
    "paper.instances": Option("N", "The number of instances per classifier.", min=1),
    "paper.largest": Option("N", "The most features; the paper has up to 25.", min=5, max=25),
    "paper.seed": Option("N", "The seed of the random classifiers.", min=0),
    "policy.check": Option("FILE", "Check a policy against the model.", names="file"),
    "policy.init": Option("", "Write a commented policy to start from, with all features."),
    "predict.proba": Option("", "The probability of every class."),
    "recourse.actions": Option("N", "How many actions: they help as many rows as possible.", min=1),
    "recourse.coverage": Option("SHARE", "The share of rows to help, such as 0.9: by as few actions as possible."),
    "recourse.per_row": Option("N", "How many counterfactuals of each row are candidates.", min=1),
    "report.each": Option("DIR", "Write a file per row instead, with nothing of the other rows in it."),
    "report.force": Option("", "With --each: DIR may hold files; those of the same name are replaced."),
    "report.groups": Option("FEATURE", "The feature whose values are compared first.", names="feature"),
    "report.index": Option("FILE", "With --each: a page for the officer, with a line per file."),
    "report.max_rows": Option("N", "List the first N; the figures count all.", min=1),
    "report.output": Option("--output -o FILE", "The HTML file to write; - is stdout."),
    "report.policy": Option("FILE", "Names, units, and what is asked (symcf policy).", names="file"),
    "report.title": Option("", "Of the page."),
    "serve.host": Option("ADDRESS", "Where to listen; with 0.0.0.0, whoever reaches this machine can ask."),
    "serve.jobs": Option("--jobs -j N", "Processes that answer.", min=1),
    "serve.max_body": Option("KIB", "Of a request.", min=1),
    "serve.max_k": Option("N", "The most counterfactuals of a row that a request may ask for.", min=1),
    "serve.max_memory": Option("MIB", "For one request.", min=1),
    "serve.max_rows": Option("N", "Of a request.", min=1),
    "serve.policy": Option("FILE", "What is asked, and what letters may say (symcf policy).", names="file"),
    "serve.port": Option("N", "0: any that is free.", min=0, max=65535),
    "serve.reference": Option("FILE", "Rows that points are compared with.", names="file"),
    "serve.time_limit": Option("SECONDS", "For one request.", min=0.001),
    "serve.title": Option("", "Of the page."),
    "wcnf.dialect": Option("", "Dialect of WCNF: h lines, or a p line."),
}
