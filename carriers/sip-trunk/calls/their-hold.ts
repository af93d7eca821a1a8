import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";

import { isOnHold, type LocalDescription } from "./session-description.ts";

interface TheirHoldOptions {
  /** Null: not known of a call that is resumed. */
  known: boolean | null;
  local: Pick<LocalDescription, "isHeld">;
  tell: (event: CarrierLegEvent) => void;
}

/** Tells where the far end, by what it says of its side, has put us on hold or taken us off it. */
export function createTheirHold({ known, local, tell }: TheirHoldOptions) {
  let holds = known;
  return (described: string, { isAnswer }: { isAnswer: boolean }): void => {
    const now = isOnHold(described);
    // Whom we hold may say in answer no more than that it has nothing to say.
    if (now === holds || (now && isAnswer && local.isHeld())) return;
    holds = now;
    tell({ type: now ? "held" : "resumed" });
  };
}
