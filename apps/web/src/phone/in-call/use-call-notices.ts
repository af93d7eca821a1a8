import type { Call } from "@leadline/contract/calls";
import { useEffect } from "react";

/** Tells somebody who works in another window that their call was answered, or is over. */
export function useCallNotices(call: Call | null): void {
  const status = call?.status ?? null;
  useEffect(() => {
    if (call !== null) void tell(call);
    // oxlint-disable-next-line react/exhaustive-deps -- once a status, whatever else of the call changes meanwhile
  }, [call?.callSid, status]);
}

/** What no first paint needs. Without a network it may not come, nor does then what there is to tell. */
const tell = (call: Call): Promise<void> =>
  import("./tell-of-call.ts").then(({ tellOfCall }) => tellOfCall(call)).catch(() => {});
