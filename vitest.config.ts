import { defineConfig } from "vitest/config";
import { closingLineReporter } from "./scripts/closing-line-reporter.ts";
import { specCoverageReporter } from "./scripts/spec-coverage-reporter.ts";

const browserTimeoutMs = 120_000;
const specCoverage = specCoverageReporter();

export default defineConfig({
  test: {
    // More than two processors' worth: much of the server's suite waits for clocks.
    maxWorkers: 3,
    reporters: ["default", specCoverage, closingLineReporter({ alsoFailed: () => specCoverage.missing().length })],
    projects: [
      { test: { name: "house-rules", include: ["house-rules.test.ts"] } },
      { test: { name: "unit", include: ["{packages,carriers,crms,apps/web,scripts}/**/*.test.{ts,tsx}"] } },
      {
        test: {
          name: "server",
          include: ["apps/server/**/*.test.ts"],
          globalSetup: ["apps/server/src/testing/global-setup.ts"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          globalSetup: ["e2e/support/global-setup.ts"],
          // After everything else and one file at a time: sound through a browser needs the processor to itself.
          sequence: { groupOrder: 1 },
          maxWorkers: 1,
          testTimeout: browserTimeoutMs,
          hookTimeout: browserTimeoutMs,
          expect: { poll: { timeout: 10_000, interval: 100 } },
        },
      },
    ],
  },
});
