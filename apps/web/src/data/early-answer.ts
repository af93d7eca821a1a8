interface EarlyRequest {
  url: string;
  accessToken: string;
  /** null if it failed; then it is requested again. */
  answer: Promise<Response | null>;
}

declare global {
  interface Window {
    /** From public/before-paint.js. */
    earlyRequest?: EarlyRequest;
  }
}

/** After this, the response may be stale. */
const freshMs = 10_000;

/** What before-paint.js requested while this code was still loading; for the same request by the same user, once. */
export function takeEarlyAnswer(url: string, accessToken: string | null): Promise<Response | null> | null {
  const early = window.earlyRequest;
  if (early?.url !== url) return null;
  delete window.earlyRequest;
  return early.accessToken === accessToken && performance.now() < freshMs ? early.answer : null;
}
