import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import * as requests from "../../data/call-requests.ts";

interface ReadLiveCalls {
  applyUpdate: (call: Call) => void;
  /** All live calls of the organisation. */
  onAll: (calls: readonly Call[]) => void;
  isOwn: (call: Call) => boolean;
  /** The calls that this page shows. */
  shown: () => readonly (Call | null)[];
}

/**
 * Reads the user's live calls, and the final state of the one that is shown. Changes nothing if there is no response.
 */
export async function readLiveCalls({ applyUpdate, onAll, isOwn, shown }: ReadLiveCalls): Promise<void> {
  try {
    const all = await requests.listLiveCalls();
    onAll(all);
    const own = all.filter(isOwn);
    for (const call of own) applyUpdate(call);
    for (const known of shown())
      if (known && isLive(known.status) && !own.some((call) => call.callSid === known.callSid))
        applyUpdate(await requests.getCall(known.callSid));
  } catch {
    // The stream's next event, or the next load, will report it.
  }
}
