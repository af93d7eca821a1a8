import { ProvisionerError, type ProvisionerFault } from "@leadline/adapter-kit/provisioner";
import { Problem } from "../../../http/problem.ts";

/** Whether it is unknown if the vendor carried out the request. Otherwise it refused. */
export const isOpen = (error: unknown): boolean =>
  !(error instanceof ProvisionerError) || error.fault === "unreachable" || error.fault === "too-many-requests";

/** An account that is being disconnected can't be used: that ends its orders too, or they are resumed if it fails. */
export const openMeanwhile = (error: unknown): unknown =>
  error instanceof Problem
    ? new ProvisionerError("unreachable", "This account is being disconnected.", { cause: error })
    : error;

const ofAccount: readonly ProvisionerFault[] = ["key-refused", "not-permitted", "unverified", "no-balance"];

/** As isOpen, for a request that an earlier one may have carried out: a refused account doesn't say. */
export const isOpenAgain = (error: unknown): boolean =>
  isOpen(error) || (error instanceof ProvisionerError && ofAccount.includes(error.fault));

/** Converts the vendor's error to a problem. `ending` is added to its sentence. */
export function toNumberProblem(error: unknown, ending = ""): unknown {
  if (!(error instanceof ProvisionerError)) return error;
  const code = isOpen(error)
    ? "carrier-unreachable"
    : error.fault === "number-gone"
      ? "number-taken"
      : "carrier-refused";
  return new Problem(code, `${error.message}${ending}`, { cause: error });
}
