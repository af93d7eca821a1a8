interface EarlyRequest {
  url: string;
  accessToken: string;
  /** null where it failed; then it is asked anew. */
  answer: Promise<Response | null>;
}

declare global {
  interface Window {
    /** From public/before-paint.js. */
    earlyRequest?: EarlyRequest;
  }
}

/** Later than this the answer may have been overtaken. */
const freshMs = 10_000;

/** What before-paint.js asked while this code was still on its way; for the same request by the same person, once. */
export function takeEarlyAnswer(url: string, accessToken: string | null): Promise<Response | null> | null {
  const early = window.earlyRequest;
  if (early?.url !== url) return null;
  delete window.earlyRequest;
  return early.accessToken === accessToken && performance.now() < freshMs ? early.answer : null;
}
