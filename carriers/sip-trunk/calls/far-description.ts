import type { CarrierLegEvent } from "@leadline/adapter-kit/carrier";

import { closesSound, inactive, type LocalDescription } from "./session-description.ts";
import { createTheirHold } from "./far-end-hold.ts";

interface FarDescriptionOptions {
  /** The far end's latest description; empty until it has sent one. */
  answer: string;
  isResumed: boolean;
  local: LocalDescription;
  emit: (event: CarrierLegEvent) => void;
}

export type FarDescription = ReturnType<typeof createFarDescription>;

/** The far end's side of a call's audio, as last agreed (RFC 3264): where it is, and whether it holds us. */
export function createFarDescription({ answer, isResumed, local, emit }: FarDescriptionOptions) {
  let theirs = answer;
  const followHold = createTheirHold({ known: isResumed ? null : false, local, emit });
  // A far end may hold from the start: reported after the answer is.
  if (!isResumed && theirs !== "") queueMicrotask(() => followHold(theirs, { isAnswer: false }));

  return {
    /** Empty while the far end owes an answer to the offer in our 200. */
    current: (): string => theirs,
    /** An unusable description has no effect. */
    hear(described: string, { isAnswer }: { isAnswer: boolean }): void {
      const heard = theirs !== "" && closesSound(described) ? inactive(theirs) : local.heard(described);
      if (heard === null) return;
      if (heard !== theirs) emit({ type: "redescribed", answer: heard });
      theirs = heard;
      followHold(heard, { isAnswer });
    },
  };
}
