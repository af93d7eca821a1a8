import type { Call } from "@leadline/contract/calls";
import { useEffect, useRef } from "react";

/** Notifies a rep who works in another window that their call was answered, or is over. */
export function useCallNotices(call: Call | null): void {
  const status = call?.status ?? null;
  /** With two calls, each is shown first in turn. */
  const told = useRef(new Set<string>());
  useEffect(() => {
    const news = `${call?.callSid} ${status}`;
    if (call !== null && !told.current.has(news)) void notify(call);
    told.current.add(news);
    // oxlint-disable-next-line react/exhaustive-deps -- once a status, whatever else of the call changes meanwhile
  }, [call?.callSid, status]);
}

/** Not needed for the first paint. Without a network it may not load, but then there is nothing to report either. */
const notify = (call: Call): Promise<void> =>
  import("./notify-of-call.ts").then(({ notifyOfCall }) => notifyOfCall(call)).catch(() => {});
