import { CrmError, type CrmFault } from "@leadline/adapter-kit/crm";
import type { ProblemCode } from "@leadline/contract/problem";
import { Problem } from "../../http/problem.ts";

const codes = {
  "workspace-refused": "workspace-domain-refused",
  "grant-refused": "authorisation-refused",
  "access-refused": "authorisation-refused",
  limited: "crm-unreachable",
  unreachable: "crm-unreachable",
  refused: "crm-not-available",
} as const satisfies Record<CrmFault, ProblemCode>;

/** Turns a CRM's error into a Problem; returns anything else unchanged. */
export function toCrmProblem(error: unknown): unknown {
  if (!(error instanceof CrmError)) return error;
  const { retryAfterMs } = error;
  return new Problem(codes[error.fault], error.message, {
    cause: error,
    ...(retryAfterMs === null ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }),
  });
}
