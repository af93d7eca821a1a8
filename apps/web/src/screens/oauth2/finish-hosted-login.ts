import { finishHostedLogin as exchange } from "@leadline/contract/hosted-login";
import { request } from "../../data/api-client.ts";
import { hostedLoginProof } from "../../data/hosted-login.ts";
import { loginFailure } from "../../data/login-failure.ts";
import { pathAfterLogin } from "../../data/pending-invitation.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { isSignedIn, session } from "../../data/session.ts";
import { pathOfState } from "./path-of-state.ts";

/** Exchanges the code; resolves to the next path: the state's, the dashboard, or after a failure the landing page. */
export async function finishHostedLogin(search: string): Promise<string> {
  const came = new URLSearchParams(search);
  const [code, state, iss] = ["code", "state", "iss"].map((name) => came.get(name));
  const proof = hostedLoginProof.take();
  if (!code || !state || !proof) return failed("Login wasn’t completed. Try again.");
  try {
    const body = { grant_type: "authorization_code", code, state, proof, ...(iss && { iss }) } as const;
    const answer = await request(exchange, { body });
    session.store({
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      idToken: answer.id_token,
    });
    return pathOfState(state) ?? pathAfterLogin();
  } catch (error) {
    return failed(problemDetail(error));
  }
}

function failed(why: string): string {
  // A signed-in user who came here with Back needs no message.
  if (!isSignedIn()) loginFailure.keep(why);
  return "/";
}
