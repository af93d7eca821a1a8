import { writeSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

interface ClosingLine {
  /** Counted as failed in addition to the tests; read at the end of the run. */
  alsoFailed: () => number;
}

/**
 * Ends a run with `N passed, N failed` alone on the very last line, so that a machine can read it without parsing the
 * rest. A failure outside a test (a file that doesn't load, an unhandled rejection) counts as one.
 */
export function closingLineReporter({ alsoFailed }: ClosingLine): Reporter {
  let line = "0 passed, 0 failed";
  return {
    onInit() {
      // On exit: global teardowns may still print after the end of the run.
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
