import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/** After what the page itself needs, and after what whoever opened it does first. */
const afterMs = 10_000;

/** Save-Data (Network Information API, section 7.4): who pays for each byte. */
function savesData(): boolean {
  const connection: unknown = "connection" in navigator ? navigator.connection : null;
  return (
    typeof connection === "object" && connection !== null && "saveData" in connection && connection.saveData === true
  );
}

/** Fetches the code of every screen once the page has nothing else to do, so that each opens at once, offline too. */
export function usePreloadedScreens(): void {
  const router = useRouter();
  useEffect(() => {
    if (savesData()) return;
    let stopped = false;
    async function fetchAll(): Promise<void> {
      for (const route of Object.values(router.routesById)) {
        if (stopped) return;
        if (route.id.startsWith("/signed-in/")) await router.loadRouteChunk(route);
      }
    }
    // One that cannot be had says so when it is opened.
    const timer = setTimeout(() => void fetchAll().catch(() => {}), afterMs);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [router]);
}
