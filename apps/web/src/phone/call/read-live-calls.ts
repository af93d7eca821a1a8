import { isLive } from "@leadline/contract/call-state";
import type { Call } from "@leadline/contract/calls";
import * as requests from "./call-requests.ts";

interface ReadLiveCalls {
  see: (call: Call) => void;
  /** All of the organisation's that live. */
  onAll: (calls: readonly Call[]) => void;
  isOwn: (call: Call) => boolean;
  /** Those this page shows. */
  shown: () => readonly (Call | null)[];
}

/** Whose of the person's calls live now, and what became of the one that is shown. Without an answer nothing changes. */
export async function readLiveCalls({ see, onAll, isOwn, shown }: ReadLiveCalls): Promise<void> {
  try {
    const all = await requests.listLiveCalls();
    onAll(all);
    const own = all.filter(isOwn);
    for (const call of own) see(call);
    for (const known of shown())
      if (known && isLive(known.status) && !own.some((call) => call.callSid === known.callSid))
        see(await requests.getCall(known.callSid));
  } catch {
    // The stream's next event, or the next load, tells.
  }
}
