import { callerIdsQuery } from "../../data/caller-ids-query.ts";
import { createListeners } from "../../data/create-listeners.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { ProblemError } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";

const key = "leadline.caller-id";
const changed = createListeners();
/** If this browser blocks storage, the choice lasts for this page. */
let ofPage: string | null = null;

/** The number (E.164) last chosen on the pad, until the user logs out; null: automatic. */
export const chosenCallerId = {
  read(): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return ofPage;
    }
  },
  choose(number: string | null): void {
    ofPage = number;
    try {
      if (number === null) localStorage.removeItem(key);
      else localStorage.setItem(key, number);
    } catch {
      // Kept above.
    }
    changed.notify();
  },
  subscribe: changed.subscribe,
};

/** The chosen number, if calls can show it now: the carrier or the organisation may be another since. */
export async function callerIdForCall(): Promise<string | undefined> {
  const chosen = chosenCallerId.read();
  if (chosen === null) return undefined;
  const known = await queryClient.ensureQueryData(callerIdsQuery(null)).catch(() => null);
  return known?.numbers.some(({ number }) => number === chosen) ? chosen : undefined;
}

/** After a refusal because of the chosen number, the next call shows the automatic one. */
export function forgetRefusedCallerId(error: unknown): void {
  if (!(error instanceof ProblemError) || !error.errors.some(({ field }) => field === "callerId")) return;
  chosenCallerId.choose(null);
  void queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
}
