import { Bell } from "lucide-react";
import { useEffect, useState } from "react";
import { noticePermission } from "../../data/show-notice.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NoticeSwitch } from "./notice-switch.tsx";

/** The browser asks the person once; after a no, only its own settings change that. */
export function BrowserNotices() {
  const [permission, setPermission] = useState(noticePermission);
  useEffect(() => {
    const look = () => setPermission(noticePermission());
    window.addEventListener("focus", look);
    return () => window.removeEventListener("focus", look);
  }, []);
  const allowed = permission === "granted";
  return (
    <>
      {permission === "default" ? (
        <Button tone="plain" className="mb-2" onClick={() => void Notification.requestPermission().then(setPermission)}>
          <Bell aria-hidden="true" /> Turn on notifications
        </Button>
      ) : null}
      {permission === "denied" ? (
        <Notice tone="brass" className="mb-2">
          Your browser blocks notifications from Leadline. Allow them in the site settings next to the address.
        </Notice>
      ) : null}
      {permission === "unsupported" ? (
        <Notice tone="brass" className="mb-2">
          Your browser can’t show notifications here. They require https and a supported browser.
        </Notice>
      ) : null}
      <NoticeSwitch name="call-incoming" label="Incoming call" disabled={!allowed} />
      <NoticeSwitch name="call-missed" label="Missed call" disabled={!allowed} />
      <NoticeSwitch name="message-left" label="New voicemail message" disabled={!allowed} />
      <NoticeSwitch name="call-answered" label="Your call is answered" disabled={!allowed} />
      <NoticeSwitch name="call-ended" label="A call ends" disabled={!allowed} />
      <NoticeSwitch name="sync-ended" label="A sync or import you started ends" disabled={!allowed} />
    </>
  );
}
