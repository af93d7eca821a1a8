import { useEffect, useState } from "react";
import { cookieLine, readCookie } from "../../data/cookie.ts";

const cookieName = "sidebar";
const sevenDaysSeconds = 604_800;
/** Below it the sidebar is a sheet. */
const wide = "(min-width: 768px)";

export interface SidebarState {
  collapsed: boolean;
  sheetOpen: boolean;
  setSheetOpen: (open: boolean) => void;
  /** Collapses or expands; on a narrow screen opens or closes the sheet. */
  toggle: () => void;
}

export function useSidebar(): SidebarState {
  const [collapsed, setCollapsed] = useState(() => readCookie(document.cookie, cookieName) === "collapsed");
  const [sheetOpen, setSheetOpen] = useState(false);

  function toggle(): void {
    if (!matchMedia(wide).matches) {
      setSheetOpen((open) => !open);
      return;
    }
    setCollapsed(!collapsed);
    document.cookie = cookieLine(cookieName, collapsed ? "expanded" : "collapsed", sevenDaysSeconds);
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "b" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  });

  useEffect(() => {
    const media = matchMedia(wide);
    const onChange = () => media.matches && setSheetOpen(false);
    media.addEventListener("change", onChange);
    return () => media.removeEventListener("change", onChange);
  }, []);

  return { collapsed, sheetOpen, setSheetOpen, toggle };
}
