import type { SandboxCrm } from "./sandbox-crm.ts";

/** Answers the consent page without a browser: reads it and submits its form. Returns where the person is redirected. */
export function answerConsent(sandbox: SandboxCrm, authoriseUrl: string, decision: "allow" | "deny"): URL {
  const { host, pathname, search } = new URL(authoriseUrl);
  const url = pathname.replace(sandbox.browserPath, "") + search;
  const shown = sandbox.answerBrowser({ method: "GET", url, headers: { host }, body: "" });
  if (shown.headers["location"] !== undefined) return new URL(shown.headers["location"]);
  const ticket = /name="ticket" value="([^"]+)"/.exec(shown.body)?.[1];
  if (ticket === undefined) throw new Error(`The consent page says: ${shown.body.replaceAll(/<[^>]*>/g, " ")}`);
  const body = new URLSearchParams({ ticket, decision }).toString();
  const answered = sandbox.answerBrowser({ method: "POST", url, headers: { host }, body });
  return new URL(answered.headers["location"] ?? "");
}
