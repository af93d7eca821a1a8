import { defineConfig } from "vitest/config";
import { closingLineReporter } from "./scripts/closing-line-reporter.ts";
import { cpuSecondsReporter } from "./scripts/cpu-seconds-reporter.ts";
import { SlowestFirst } from "./scripts/slowest-first.ts";
import { specCoverageReporter } from "./scripts/spec-coverage-reporter.ts";

/** Of a test and of a hook: what hangs, not what is slow on a busy machine. */
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000 };
const waitLonger = "scripts/wait-longer.ts";
const countCpuSeconds = "scripts/count-cpu-seconds.ts";
const reachThisMachine = "scripts/reach-this-machine.ts";
const keepWebAssembly = "apps/server/src/keep-webassembly.ts";
const hashCheaply = "apps/server/src/testing/hash-cheaply.ts";
/**
 * Journeys that judge no tone, at most whether there is sound, and so may share the processor; a new one is not among
 * them until it is named here.
 */
const sharing = [
  "accessibility",
  "account-numbers",
  "analyst",
  "audit-log",
  "call-bar",
  "call-endings",
  "call-notes",
  "call-on-public-pages",
  "call-outlives-the-page",
  "carrier-account",
  "carriers",
  "command-palette",
  "dashboard",
  "delete-organisation",
  "hosted-login",
  "initial-load",
  "integrations",
  "keyboard",
  "layout",
  "lead-conflicts",
  "lead-lists",
  "leads",
  "limits",
  "many-tabs",
  "microphone",
  "network-cut",
  "personal-data",
  "phone-numbers",
  "phone-on-small-screens",
  "rates",
  "refusals",
  "restart",
  "second-line",
  "session-in-tabs",
  "settings",
  "specified-public-screens",
  "specified-screens",
  "top-ups",
  "transfer",
  "unsaved-forms",
].map((name) => `e2e/${name}.test.ts`);
const journeys = {
  globalSetup: ["e2e/support/global-setup.ts"],
  isolate: false,
  ...timeouts,
  setupFiles: [keepWebAssembly, countCpuSeconds, waitLonger],
  expect: { poll: { timeout: 30_000, interval: 100 } },
};
const specCoverage = specCoverageReporter();

export default defineConfig({
  test: {
    // More than two processors' worth: much of the server's suite waits for clocks.
    maxWorkers: 5,
    sequence: { sequencer: SlowestFirst },
    // For the whole run, whichever of its projects call a SIP peer.
    globalSetup: ["carriers/sip-trunk/testing/global-setup.ts"],
    reporters: [
      "default",
      cpuSecondsReporter(),
      specCoverage,
      closingLineReporter({ alsoFailed: () => specCoverage.missing().length }),
    ],
    projects: [
      { test: { name: "house-rules", include: ["house-*.test.ts"] } },
      {
        test: {
          name: "unit",
          include: ["{packages,carriers,crms,payments,apps/web,scripts}/**/*.test.{ts,tsx}"],
          setupFiles: [
            keepWebAssembly,
            countCpuSeconds,
            waitLonger,
            reachThisMachine,
            "apps/web/src/testing/page-of-its-own.ts",
          ],
          // Loading the same modules anew for each file takes longer than most of the tests.
          isolate: false,
          ...timeouts,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        test: {
          name: "server",
          include: ["apps/server/**/*.test.ts"],
          globalSetup: ["apps/server/src/testing/global-setup.ts"],
          isolate: false,
          ...timeouts,
          setupFiles: [keepWebAssembly, countCpuSeconds, waitLonger, reachThisMachine, hashCheaply],
          expect: { poll: { timeout: 30_000 } },
        },
      },
      { test: { ...journeys, name: "e2e-sharing", include: sharing, sequence: { groupOrder: 1 }, maxWorkers: 3 } },
      {
        test: {
          ...journeys,
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: sharing,
          // After everything else: where a browser's sound is judged by its tone, the processor must have time left.
          sequence: { groupOrder: 2 },
          maxWorkers: 2,
        },
      },
    ],
  },
});
