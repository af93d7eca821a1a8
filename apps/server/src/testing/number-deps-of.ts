import type { NumberDeps } from "../features/numbers/number-deps.ts";
import { createLog } from "../log.ts";

/** For verbs of numbers outside an app, without connected accounts. */
export const numberDepsOf = (given: Pick<NumberDeps, "database" | "carriers">): NumberDeps => ({
  ...given,
  carrierInUse: async () => null,
  accounts: {
    nameOf: (vendor) => vendor,
    explainRefusal: async () => null,
    callIdIn: () => null,
    callerVerification: async () => null,
    needsNumber: async () => false,
    isSandbox: async () => false,
    list: async () => [],
    listEvery: async () => [],
    keepConnected: async () => {},
    use: () => Promise.reject(new Error("No account is connected.")),
  },
  runExclusively: (_name, work) => work(),
  maxNumbers: 100,
  log: createLog("fatal"),
});
