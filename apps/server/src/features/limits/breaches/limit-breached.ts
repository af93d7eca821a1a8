import type { LimitName } from "@leadline/contract/limits";
import type { ProblemCode } from "@leadline/contract/problem";
import { Problem } from "../../../http/problem.ts";

export interface Breach {
  limit: LimitName;
  /** The member’s own limit, not the organisation’s. */
  isMembers: boolean;
  phoneNumber: string;
}

/** A refusal by a limit. It rolls the transaction back, so it is recorded outside of it (report-breaches.ts). */
export class LimitBreached extends Problem {
  readonly breach: Breach;

  constructor(
    code: ProblemCode,
    detail: string,
    { retryAfterSeconds, ...breach }: Breach & { retryAfterSeconds?: number | undefined },
  ) {
    super(code, detail, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    this.breach = breach;
  }
}
