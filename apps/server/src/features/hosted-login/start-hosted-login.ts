import { Problem } from "../../http/problem.ts";
import { countAttempts, throttledAddress } from "../attempts/count-attempts.ts";
import { hashState, type HostedLoginDeps, newProof, openTransaction } from "./hosted-login-deps.ts";
import { insertHostedLogin } from "./hosted-login.table.ts";

export async function startHostedLogin(
  deps: HostedLoginDeps,
  asked: { path: string | undefined; ip: string },
): Promise<{ url: string; proof: string }> {
  const { provider } = deps;
  if (provider === null) throw noHostedLogin();
  const { withTransaction } = deps.database;
  const by = throttledAddress(asked.ip);
  await countAttempts(withTransaction, "hosted login", { by, most: 100 });
  const proof = newProof();
  const { stateFor, codeVerifier, nonce } = openTransaction(deps.deriveKey, proof);
  const state = stateFor(asked.path);
  const url = await provider.authorizationUrl({ state, codeVerifier, nonce }).catch((cause: unknown) => {
    throw unreachable(cause);
  });
  await withTransaction({ system: "no one is signed in yet", by }, (tx) => insertHostedLogin(tx, hashState(state)));
  return { url, proof };
}

export const noHostedLogin = (): Problem =>
  new Problem("not-found", "This server doesn’t use single sign-on. Log in with your email and password.");

export const unreachable = (cause: unknown): Problem =>
  new Problem(
    "hosted-login-unreachable",
    "Single sign-on isn’t responding. Try again in a moment, or log in with your email and password.",
    { cause },
  );
