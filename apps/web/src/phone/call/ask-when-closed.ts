import { type Callee, isProblem } from "./call-requests.ts";
import type { PhoneStore } from "./phone-store.ts";
import { wordsFor } from "./start-failure.ts";

/** Calls `place`, after asking the rep to confirm if the organisation is closed. Throws other refusals by the server. */
export async function askWhenClosed(
  { set }: Pick<PhoneStore, "set">,
  to: Callee,
  place: (to: Callee) => Promise<void>,
): Promise<void> {
  try {
    await place({ ...to, askWhenClosed: true });
  } catch (error) {
    if (!isProblem(error, "outside-hours")) throw error;
    const placeAnyway = () => place(to).catch((refused: unknown) => set({ trouble: wordsFor(refused) }));
    set({ transferOpen: null, asksOutsideHours: { phoneNumber: to.phoneNumber, place: placeAnyway } });
  }
}
