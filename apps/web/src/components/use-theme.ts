import { useEffect, useSyncExternalStore } from "react";
import { cookieLine, readCookie } from "../data/cookie.ts";
import { createListeners } from "../data/create-listeners.ts";

const themes = ["light", "dark", "system"] as const;
export type Theme = (typeof themes)[number];
export const isTheme = (value: string | null): value is Theme => themes.some((theme) => theme === value);

const oneYearSeconds = 31_536_000;

const listeners = createListeners();
/** Chosen on this page; works even if cookies are blocked. */
let chosen: Theme | null = null;
function readTheme(): Theme {
  const kept = chosen ?? readCookie(document.cookie, "theme");
  return isTheme(kept) ? kept : "system";
}

/**
 * Stored in a cookie: local storage only holds session tokens. public/before-paint.js reads the same cookie before the
 * first paint.
 */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore(listeners.subscribe, readTheme);
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      const dark = theme === "dark" || (theme === "system" && system.matches);
      document.documentElement.dataset.theme = dark ? "dark" : "light";
      document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#0B1622" : "#FBFAF8");
    };
    apply();
    system.addEventListener("change", apply);
    return () => system.removeEventListener("change", apply);
  }, [theme]);
  return [
    theme,
    (next) => {
      document.cookie = cookieLine("theme", next, oneYearSeconds);
      chosen = next;
      listeners.notify();
    },
  ];
}
