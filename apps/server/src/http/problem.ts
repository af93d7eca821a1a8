import { type ProblemCode, type ProblemDocument, problemTypes, problemTypeUri } from "@leadline/contract/problem";

export interface ProblemExtras {
  errors?: NonNullable<ProblemDocument["errors"]>;
  retryAfterSeconds?: number;
  cause?: unknown;
}

/** Thrown by a verb to return a problem of the contract; `detail` says what happened and what to do next. */
export class Problem extends Error {
  override name = "Problem";
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return problemTypes[this.code].status;
  }

  toDocument(): ProblemDocument {
    const { errors, retryAfterSeconds } = this.extras;
    return {
      type: problemTypeUri(this.code),
      title: problemTypes[this.code].title,
      status: this.status,
      detail: this.message,
      ...(errors === undefined ? {} : { errors }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    };
  }
}
