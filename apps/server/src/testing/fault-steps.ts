import type { Fault } from "@leadline/crm-sandbox/faults";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { constant, constantFrom, record } from "fast-check";

/** What can go wrong while something is written to a CRM, as fast-check's weighted steps of a test. */
export const faultSteps = ({ limitFaults }: Pick<SandboxCrm, "limitFaults">, further: readonly Fault[] = []) =>
  [
    {
      weight: 3,
      arbitrary: record({
        is: constant("fault" as const),
        fault: constantFrom<Fault[]>(
          { status: 429, headers: { "retry-after": "1" } },
          { status: 500 },
          { status: 503 },
          { loseAnswer: true },
          { loseAnswer: true, after: 1 },
          { cutsAnswer: true },
          { status: 302 },
          { page: "<p>Sign in to this network.</p>" },
          { page: "<p>Not found</p>", status: 404 },
          { delayMs: 60 },
          ...further,
          ...limitFaults.map(([, fault]) => fault),
        ),
      }),
    },
    { weight: 1, arbitrary: record({ is: constant("access runs out" as const) }) },
    { weight: 2, arbitrary: record({ is: constant("two servers write" as const) }) },
    { weight: 2, arbitrary: record({ is: constant("time passes" as const) }) },
  ] as const;
