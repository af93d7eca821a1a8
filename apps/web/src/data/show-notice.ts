import { type NoticeName, wantsNotice } from "./notice-choices.ts";

interface Notice {
  about: Extract<
    NoticeName,
    "call-incoming" | "call-missed" | "message-left" | "call-answered" | "call-ended" | "sync-ended"
  >;
  title: string;
  body: string;
  /** Of two with one tag the browser shows the newer: several tabs tell the same once. */
  tag: string;
}

export type NoticePermission = NotificationPermission | "unsupported";

/** Missing on plain-http origins, whatever the type says. */
export const noticePermission = (): NoticePermission =>
  "Notification" in globalThis ? Notification.permission : "unsupported";

/** A notification of the system, where the person allowed it, wants this kind, and is not looking at the page anyway. Answers the function that takes it back. */
export function showNotice({ about, title, body, tag }: Notice): () => void {
  if (noticePermission() !== "granted" || !wantsNotice(about) || document.hasFocus()) return () => {};
  const notice = new Notification(title, { body, tag, icon: "/favicon.svg" });
  notice.addEventListener("click", () => {
    window.focus();
    notice.close();
  });
  return () => notice.close();
}
