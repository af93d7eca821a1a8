import { useEffect } from "react";
import { fetchScreens, screensAreHere } from "../../routes/fetch-screens.ts";

/** After what the page itself needs, and after what whoever opened it does first. */
const afterMs = 10_000;

/** Save-Data (Network Information API, section 7.4): who pays for each byte. */
function savesData(): boolean {
  const connection: unknown = "connection" in navigator ? navigator.connection : null;
  return (
    typeof connection === "object" && connection !== null && "saveData" in connection && connection.saveData === true
  );
}

/**
 * Fetches the code of every screen once the page has nothing else to do, so that each opens at once, offline too. Not during
 * a call, whose sound has a slow machine to itself.
 */
export function usePreloadedScreens({ inCall }: { inCall: boolean }): void {
  useEffect(() => {
    if (inCall || screensAreHere() || savesData()) return;
    const stopped = new AbortController();
    // One that cannot be had says so when it is opened.
    const timer = setTimeout(() => void fetchScreens(stopped.signal).catch(() => {}), afterMs);
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }, [inCall]);
}
