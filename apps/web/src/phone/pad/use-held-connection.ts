import { useEffect } from "react";
import { usePhone } from "../phone-context.ts";

/** After this long, a hidden tab closes its connection. */
const hiddenMs = 5 * 60_000;

/** Keeps a negotiated connection while the pad is open, so that a call waits for neither ICE nor DTLS. */
export function useHeldConnection(): void {
  const { driver } = usePhone();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const follow = (): void => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      if (document.visibilityState === "visible") driver.keepWarm();
      else timer = setTimeout(driver.coolDown, hiddenMs);
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    // A reload or another address; a page that the browser kept is shown again by the Back button.
    window.addEventListener("pagehide", driver.coolDown);
    window.addEventListener("pageshow", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      window.removeEventListener("pagehide", driver.coolDown);
      window.removeEventListener("pageshow", follow);
      if (timer !== null) clearTimeout(timer);
      driver.coolDown();
    };
  }, [driver]);
}
