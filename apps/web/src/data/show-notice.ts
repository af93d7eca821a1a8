import { type NoticeName, wantsNotice } from "./notice-choices.ts";

interface Notice {
  about: Extract<
    NoticeName,
    "call-incoming" | "call-missed" | "message-left" | "call-answered" | "call-ended" | "sync-ended" | "follow-up-due"
  >;
  title: string;
  body: string;
  /** The browser shows only the newer of two with the same tag, so that several tabs show one. */
  tag: string;
  /** Called once the page has the focus again by a click. */
  onOpen?: () => void;
}

export type NoticePermission = NotificationPermission | "unsupported";

/** Missing on plain-http origins, whatever the type says. */
export const noticePermission = (): NoticePermission =>
  "Notification" in globalThis ? Notification.permission : "unsupported";

/**
 * A system notification, if the user has allowed it, wants this kind, and isn't looking at the page. Returns a function
 * that closes it.
 */
export function showNotice({ about, title, body, tag, onOpen }: Notice): () => void {
  if (noticePermission() !== "granted" || !wantsNotice(about) || document.hasFocus()) return () => {};
  const notice = new Notification(title, { body, tag, icon: "/favicon.svg" });
  notice.addEventListener("click", () => {
    window.focus();
    notice.close();
    onOpen?.();
  });
  return () => notice.close();
}
