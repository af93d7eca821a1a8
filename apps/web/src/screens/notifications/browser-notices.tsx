import { Bell } from "lucide-react";
import { useNoticePermission } from "../../data/use-notice-permission.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NoticeSwitch } from "./notice-switch.tsx";

export function BrowserNotices() {
  const { permission, ask } = useNoticePermission();
  const allowed = permission === "granted";
  return (
    <>
      {permission === "default" ? (
        <Button tone="plain" className="mb-2" onClick={ask}>
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
      <NoticeSwitch name="follow-up-due" label="One of your callbacks is due" disabled={!allowed} />
    </>
  );
}
