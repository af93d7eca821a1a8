import { useEffect, useState } from "react";
import { noticePermission } from "./show-notice.ts";

/**
 * Browsers ask the person once. After a refusal, only the browser's settings can change it. Call `ask` in a click
 * handler.
 */
export function useNoticePermission() {
  const [permission, setPermission] = useState(noticePermission);
  useEffect(() => {
    const look = () => setPermission(noticePermission());
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, []);
  return { permission, ask: () => void Notification.requestPermission().then(setPermission) };
}
