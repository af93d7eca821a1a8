import { ProvisionerError } from "@leadline/adapter-kit/provisioner";
import { Problem } from "../../../http/problem.ts";

/** Nobody knows whether the vendor did what it was asked; anything else it refused. */
export const isOpen = (error: unknown): boolean =>
  !(error instanceof ProvisionerError) || error.fault === "unreachable" || error.fault === "too-many-requests";

/** The vendor's sentence as a problem. `ending`: what is said after it. */
export function toNumberProblem(error: unknown, ending = ""): unknown {
  if (!(error instanceof ProvisionerError)) return error;
  const code = isOpen(error)
    ? "carrier-unreachable"
    : error.fault === "number-gone"
      ? "number-taken"
      : "carrier-refused";
  return new Problem(code, `${error.message}${ending}`, { cause: error });
}
