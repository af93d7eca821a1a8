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
          This browser blocks notifications of this page. Allow them in its site settings, beside the address, and come
          back.
        </Notice>
      ) : null}
      {permission === "unsupported" ? (
        <Notice tone="brass" className="mb-2">
          This browser shows no notifications here. It may on another device, and only over https.
        </Notice>
      ) : null}
      <NoticeSwitch name="call-incoming" label="Somebody calls" disabled={!allowed} />
      <NoticeSwitch name="call-missed" label="A call is missed" disabled={!allowed} />
      <NoticeSwitch name="message-left" label="Somebody leaves a message" disabled={!allowed} />
      <NoticeSwitch name="call-answered" label="Somebody answers your call" disabled={!allowed} />
      <NoticeSwitch name="call-ended" label="A call ends" disabled={!allowed} />
      <NoticeSwitch name="sync-ended" label="A sync or an import that you started ends" disabled={!allowed} />
    </>
  );
}
