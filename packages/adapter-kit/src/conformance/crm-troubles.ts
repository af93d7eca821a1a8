const page = "<!doctype html><title>Sign in</title><p>Sign in to this network.</p>";

/** What isn't the CRM's verdict on what was to be written, and how it is reported. */
export const troublesOfWriting = [
  ["too many requests", { status: 429, retryAfterSeconds: 7 }, { fault: "limited", retryAfterMs: 7_000 }],
  ["a failing server", { status: 500 }, { fault: "unreachable", retryAfterMs: null }],
  ["a redirect", { status: 302 }, { fault: "unreachable", retryAfterMs: null }],
  ["a page in place of the answer", { page }, { fault: "unreachable", retryAfterMs: null }],
  ["a proxy's refusal", { page, status: 403 }, { fault: "unreachable", retryAfterMs: null }],
  ["a proxy's plain refusal", { page: "Access denied", status: 403 }, { fault: "unreachable", retryAfterMs: null }],
  ["a proxy's page that it doesn't know", { page, status: 404 }, { fault: "unreachable", retryAfterMs: null }],
] as const;
