import { readFileSync } from "node:fs";

export const specCoveragePath = "docs/spec-coverage.md";

export interface CoverageRow {
  section: string;
  requirement: string;
  tests: readonly NamedTest[];
}
export interface NamedTest {
  /** From the repository's root. */
  file: string;
  /** With its suites: `suite > test`, as Vitest prints it. */
  name: string;
}

/** The table's rows. The third column contains `file › full test name`, separated by `<br>`. */
export function readSpecCoverage(): CoverageRow[] {
  const lines = readFileSync(specCoveragePath, "utf8").split("\n");
  return lines.filter((line) => /^\| *\d/.test(line)).map(toRow);
}

function toRow(line: string): CoverageRow {
  const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, "|"));
  const [, section = "", requirement = "", tests = ""] = cells;
  return { section, requirement, tests: tests.split("<br>").map(toNamedTest) };
}

function toNamedTest(text: string): NamedTest {
  const [file = "", name = ""] = text.split(" › ").map((part) => part.trim());
  return { file: file.replaceAll("`", ""), name };
}

/** Every test that the table names, once. */
export function namedTests(rows: readonly CoverageRow[]): NamedTest[] {
  return [...new Map(rows.flatMap((row) => row.tests).map((test) => [`${test.file} › ${test.name}`, test])).values()];
}
