import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";

import { isOnHold, type LocalDescription } from "./session-description.ts";

interface TheirHoldOptions {
  /** Null: unknown for a resumed call. */
  known: boolean | null;
  local: Pick<LocalDescription, "isHeld">;
  emit: (event: CarrierLegEvent) => void;
}

/** Reports when the far end puts us on hold or resumes, according to its description. */
export function createTheirHold({ known, local, emit }: TheirHoldOptions) {
  let holds = known;
  return (described: string, { isAnswer }: { isAnswer: boolean }): void => {
    const now = isOnHold(described);
    // A far end that we hold can only answer that it sends nothing.
    if (now === holds || (now && isAnswer && local.isHeld())) return;
    holds = now;
    emit({ type: now ? "held" : "resumed" });
  };
}
