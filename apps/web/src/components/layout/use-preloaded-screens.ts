import { useEffect } from "react";
import { fetchScreens, screensAreHere } from "../../routes/fetch-screens.ts";

/** After what the page itself needs, and what the user does first. */
const afterMs = 10_000;

/** Save-Data (Network Information API, section 7.4): for metered connections. */
function savesData(): boolean {
  const connection: unknown = "connection" in navigator ? navigator.connection : null;
  return (
    typeof connection === "object" && connection !== null && "saveData" in connection && connection.saveData === true
  );
}

/**
 * Fetches the code of every screen once the page is idle, so that each opens immediately, even offline. Not during a
 * call, whose audio needs a slow machine for itself.
 */
export function usePreloadedScreens({ inCall }: { inCall: boolean }): void {
  useEffect(() => {
    if (inCall || screensAreHere() || savesData()) return;
    const stopped = new AbortController();
    // A screen that can't be fetched reports it when opened.
    const timer = setTimeout(() => void fetchScreens(stopped.signal).catch(() => {}), afterMs);
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [inCall]);
}
