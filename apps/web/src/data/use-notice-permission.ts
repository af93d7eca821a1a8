import { useEffect, useState } from "react";
import { noticePermission } from "./show-notice.ts";

/** The browser asks the person once; after a no, only its own settings change that. `ask` belongs in a click. */
export function useNoticePermission() {
  const [permission, setPermission] = useState(noticePermission);
  useEffect(() => {
    const look = () => setPermission(noticePermission());
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, []);
  return { permission, ask: () => void Notification.requestPermission().then(setPermission) };
}
