import { relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { type NamedTest, namedTests, readSpecCoverage, specCoveragePath } from "./read-spec-coverage.ts";

export interface SpecCoverageReporter extends Reporter {
  /** Named in the table, but not run and passed; known at the end of the run. */
  missing(): readonly string[];
}

/**
 * Fails a run in which a test that docs/spec-coverage.md names didn't run and pass. A run of some files is only checked
 * for those files, and a run of some tests isn't checked.
 */
export function specCoverageReporter(): SpecCoverageReporter {
  let vitest: Vitest | null = null;
  let isWhole = false;
  let missing: string[] = [];
  return {
    onInit(started) {
      vitest = started;
    },
    async onTestRunStart(specifications) {
      const isOfAllProjects = vitest?.config.project.length === 0;
      isWhole = isOfAllProjects && specifications.length === (await vitest?.globTestSpecifications())?.length;
    },
    onTestRunEnd(modules, _errors, reason) {
      if (vitest === null || reason === "interrupted" || vitest.config.testNamePattern) return;
      const named = namedTests(readSpecCoverage());
      missing = whatDidNotPass(named, modules, { isWhole, root: vitest.config.root });
      if (missing.length === 0) return;
      process.exitCode = 1;
      vitest.logger.error(
        [`${specCoveragePath} names tests that did not run and pass:`, ...missing.map((test) => `  ${test}`)].join(
          "\n",
        ),
      );
    },
    missing: () => missing,
  };
}

function whatDidNotPass(
  named: readonly NamedTest[],
  modules: readonly TestModule[],
  run: { isWhole: boolean; root: string },
): string[] {
  const passed = new Map(modules.map((module) => [relative(run.root, module.moduleId), passedTests(module)]));
  return named
    .filter(({ file, name }) => (passed.has(file) ? !passed.get(file)?.has(name) : run.isWhole))
    .map(({ file, name }) => `${file} › ${name}`);
}

const passedTests = (module: TestModule): Set<string> =>
  new Set([...module.children.allTests("passed")].map((test) => test.fullName));
