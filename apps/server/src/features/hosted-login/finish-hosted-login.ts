import { ClientError } from "openid-client";
import { Problem } from "../../http/problem.ts";
import type { Origin } from "../sessions/session-deps.ts";
import { type SignedIn, signIn, startSession } from "../sessions/start-session.ts";
import { countAttempts, throttledAddress } from "../attempts/count-attempts.ts";
import { findProvenPerson, type FoundPerson } from "./find-proven-person.ts";
import { hashState, type HostedLoginDeps, openTransaction } from "./hosted-login-deps.ts";
import { takeHostedLogin } from "./hosted-login.table.ts";
import type { Callback } from "./login-provider.ts";
import { noHostedLogin, unreachable } from "./start-hosted-login.ts";

type Became = Extract<FoundPerson, { userId: string }>["became"];

/** Only the browser that started the login has the proof, so a link can't sign anyone in as somebody else. */
export async function finishHostedLogin(
  deps: HostedLoginDeps,
  returned: Callback & { proof: string },
  origin: Origin,
): Promise<SignedIn & { idToken: string; became: Became }> {
  const { provider } = deps;
  if (provider === null) throw noHostedLogin();
  const { withTransaction } = deps.database;
  const by = throttledAddress(origin.ip);
  await countAttempts(withTransaction, "hosted login back", { by, most: 100 });
  const underWay = openTransaction(deps.deriveKey, returned.proof);
  const scope = { system: "no one is signed in yet", by };
  // Used up before asking the provider: this state is spent whatever the response.
  const began = await withTransaction(scope, (tx) => takeHostedLogin(tx, hashState(returned.state)));
  if (!began || !underWay.isOf(returned.state)) throw failed("it started in another browser, or took too long");
  const { person, idToken } = await provider.exchange(returned, underWay).catch((cause: unknown): never => {
    throw isNetworkFailure(cause) ? unreachable(cause) : failed("your login provider didn’t confirm the login", cause);
  });
  return withTransaction(scope, async (tx) => {
    const found = await findProvenPerson(tx, person, deps.registration);
    if ("refused" in found) throw refused(found.refused);
    const signedIn = signIn(deps, await startSession(tx, deps, found.userId, origin));
    return { ...signedIn, idToken, became: found.became };
  });
}

const failed = (why: string, cause?: unknown): Problem =>
  new Problem("hosted-login-failed", `Login failed: ${why}. Try again.`, { cause });

const refusals = {
  disabled: "Your account here is closed. Ask the administrator of this server.",
  "email not verified": "Your login provider has not verified your email address. Verify it there, then log in again.",
  "verified or not is not said":
    "Your login provider didn’t confirm that your email address is verified. Ask the administrator of this server.",
  "somebody else's account":
    "Your email address belongs to another account on this server. Ask the administrator of this server.",
} as const;

const refused = (why: keyof typeof refusals): Problem => new Problem("hosted-login-refused", refusals[why]);

/** fetch's own failures, and the timeout. */
const isNetworkFailure = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof ClientError && error.code === "OAUTH_TIMEOUT");
