import { cookieLine, readCookie } from "./cookie.ts";

/** What may draw attention in this browser. Everything is on by default. */
export const noticeNames = [
  "key-sounds",
  "dialing-sound",
  "ringing-sound",
  "call-sounds",
  "call-incoming",
  "call-missed",
  "message-left",
  "call-answered",
  "call-ended",
  "sync-ended",
  "follow-up-due",
] as const;
export type NoticeName = (typeof noticeNames)[number];

const cookieName = "notices-off";
const oneYearSeconds = 31_536_000;

function switchedOff(): readonly string[] {
  return (readCookie(document.cookie, cookieName) ?? "").split(".");
}

/** Read at every use: another tab may have changed it. */
export const wantsNotice = (name: NoticeName): boolean => !switchedOff().includes(name);

/** Per browser, not per user: a desk phone may ring where a laptop must not. */
export function chooseNotice(name: NoticeName, wanted: boolean): void {
  const off = noticeNames.filter((one) => (one === name ? !wanted : !wantsNotice(one)));
  document.cookie = cookieLine(cookieName, off.join("."), oneYearSeconds);
}
