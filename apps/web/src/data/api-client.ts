import { pageOrganisation } from "./page-organisation.ts";
import { createApiClient } from "./create-api-client.ts";
import { takeEarlyAnswer } from "./early-answer.ts";
import { meKey } from "./me-key.ts";
import { isPublicPath } from "./public-paths.ts";
import { queryClient } from "./query-client.ts";
import type { RefreshOutcome } from "./refresh-access.ts";
import { session, sessionEnded } from "./session.ts";

export const { request, requestPage, requestFile, refreshAccess } = createApiClient({
  baseUrl: "/api",
  session,
  // Missing on plain-http origins, whatever the type says.
  locks: "locks" in navigator ? navigator.locks : undefined,
  earlyAnswer: takeEarlyAnswer,
  organisationId: pageOrganisation.organisationId,
  onOtherOrganisation: askWhereThePersonIs,
  onSignedOut: leaveSignedOut,
});

/** Only this: data that was read stays under unsaved changes. A page that can switch reads everything again. */
export function askWhereThePersonIs(): void {
  void queryClient.invalidateQueries({ queryKey: meKey });
}

let isLeaving = false;

/** Moves a page that needs a user to the login, once; a public page stays. */
export function leaveSignedOut(outcome: Exclude<RefreshOutcome, "refreshed">): void {
  if (isLeaving || isPublicPath(location.pathname)) return;
  isLeaving = true;
  if (outcome === "signed-out") {
    sessionEnded.note();
    location.replace("/login");
  } else void leaveForHostedLogin();
}

/** Another tab, which knows how the session ended, has cleared the tokens. */
export function leaveSignedOutElsewhere(): void {
  if (isLeaving) return;
  isLeaving = true;
  location.replace("/login");
}

async function leaveForHostedLogin(): Promise<void> {
  const { pathname, search, hash } = location;
  const hostedLogin = await import("./hosted-login.ts").catch(() => null);
  if (!(await hostedLogin?.goToHostedLogin(`${pathname}${search}${hash}`))) location.replace("/");
}
