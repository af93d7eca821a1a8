import { writeSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

interface ClosingLine {
  /** Counted as failed besides the tests; asked at the run's end. */
  alsoFailed: () => number;
}

/**
 * Ends a run with `N passed, N failed`, alone on the very last line, so that a machine reads it without parsing the rest.
 * What fails outside a test (a file that does not load, an unhandled rejection) counts as one failed.
 */
export function closingLineReporter({ alsoFailed }: ClosingLine): Reporter {
  let line = "0 passed, 0 failed";
  return {
    onInit() {
      // On exit: global teardowns may still print after the run's end.
      process.once("exit", () => writeSync(process.stdout.fd, `${line}\n`));
    },
    onTestRunEnd(modules, unhandledErrors) {
      line = closingLine(modules, unhandledErrors.length + alsoFailed());
    },
  };
}

function closingLine(modules: readonly TestModule[], otherFailures: number): string {
  const counts = { passed: 0, failed: otherFailures, skipped: 0 };
  for (const module of modules) {
    const testStates = [...module.children.allTests()].map((test) => test.result().state);
    for (const state of testStates) if (state !== "pending") counts[state] += 1;
    if (module.state() === "failed" && !testStates.includes("failed")) counts.failed += 1;
  }
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`;
}
