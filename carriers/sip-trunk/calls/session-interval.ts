import { type Headers, minSessionSeconds } from "./session-timer.ts";

/**
 * The refusal of an interval that would keep both sides busy (section 6); null if it is long enough. ours: as above.
 */
export function whyTooBrief(request: Headers, ours: number): { statusCode: number; extraHeaders: string[] } | null {
  const asked = /^\s*(\d{1,10})/.exec(request.getHeader("session-expires") ?? "");
  const least = Math.min(minSessionSeconds, ours);
  return asked && Number(asked[1]) < least ? { statusCode: 422, extraHeaders: [`Min-SE: ${least}`] } : null;
}

/**
 * The interval that we request, as short as the far end accepts (section 7.2). known: what it accepted in the INVITE.
 */
export function createInterval(ours: number, known: number) {
  let least = known;
  return {
    headers: (): string[] => [
      `Session-Expires: ${Math.max(ours, least)};refresher=uac`,
      `Min-SE: ${Math.max(minSessionSeconds, least)}`,
    ],
    /** A refusal may say that it is too short. */
    hear(refusal: Headers & { statusCode?: number | undefined }): void {
      if (refusal.statusCode === 422) least = Math.max(least, Number(refusal.getHeader("min-se")) || 0);
    },
  };
}
