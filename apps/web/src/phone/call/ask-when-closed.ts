import { ProblemError } from "../../data/problem-error.ts";
import { type Callee, isProblem } from "../../data/call-requests.ts";
import type { OutsideHours } from "./phone-state.ts";
import type { PhoneStore } from "./phone-store.ts";
import { messageFor } from "./start-failure.ts";

/** What to ask the rep about a call that was refused because of the hours; null if it was refused for something else. */
export const outsideHoursOf = (error: unknown): Pick<OutsideHours, "why" | "needsReason"> | null =>
  error instanceof ProblemError && isProblem(error, "outside-hours", "outside-calling-hours")
    ? { why: error.detail, needsReason: isProblem(error, "outside-calling-hours") }
    : null;

/** Calls `place`, after asking the rep to confirm outside the hours. Throws other refusals by the server. */
export async function askWhenClosed(
  { set }: Pick<PhoneStore, "set">,
  to: Callee,
  place: (to: Callee) => Promise<void>,
): Promise<void> {
  try {
    await place({ ...to, askWhenClosed: true });
  } catch (error) {
    const outside = outsideHoursOf(error);
    if (!outside) throw error;
    const placeAnyway = (outsideHoursReason: string | undefined) =>
      place({ ...to, outsideHoursReason }).catch((refused: unknown) => set({ trouble: messageFor(refused) }));
    set({
      transferOpen: null,
      asksOutsideHours: { phoneNumber: to.phoneNumber, ...outside, place: placeAnyway },
    });
  }
}
