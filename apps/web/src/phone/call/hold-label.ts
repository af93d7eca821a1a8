import type { Call } from "@leadline/contract/calls";

/** Who has put whom on hold; null if no one has. */
export function holdLabel({ held, heldByThem }: Pick<Call, "held" | "heldByThem">): string | null {
  if (heldByThem) return held ? "On hold by both sides" : "They put you on hold";
  return held ? "On hold" : null;
}
