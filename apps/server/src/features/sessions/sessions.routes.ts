import * as contract from "@leadline/contract/sessions";
import { addressOf } from "../../http/address-of.ts";
import { type Route, route } from "../../http/route.ts";
import { noteAuditedUser } from "../../http/serve-route.ts";
import { endEveryOtherSession, endSession } from "./end-session.ts";
import { listSessions } from "./list-sessions.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { refreshSession, sessionEnded } from "./refresh-session.ts";
import { originOf } from "./origin-of.ts";
import type { SessionDeps } from "./session-deps.ts";

export function sessionRoutes(deps: SessionDeps): Route[] {
  return [
    route(contract.login, async ({ body, request }) => {
      // Logs the entered address, which the contract has limited in length and freed of control characters, because an
      // unknown account has no other name. A password typed into that field isn't an address and never gets here.
      const noteFailed = (userId: string | null) =>
        request.log.warn(
          { security: "sign-in-failed", userId, email: body.email, ip: addressOf(request) },
          "sign-in failed",
        );
      const signedIn = await login(deps, body, originOf(request)).catch((error: unknown) => {
        noteFailed(null);
        throw error;
      });
      if ("problem" in signedIn) {
        noteFailed(signedIn.userId);
        throw signedIn.problem;
      }
      noteAuditedUser(request, signedIn.userId);
      return { token: signedIn.token, refresh_token: signedIn.refreshToken };
    }),
    route(contract.refreshTokens, async ({ body, request }) => {
      const refreshed = await refreshSession(deps, { refreshToken: body.refreshToken, ip: addressOf(request) });
      if (refreshed.stolen) {
        const { userId, sessionId } = refreshed;
        request.log.warn(
          { security: "refresh-token-reused", userId, sessionId, ip: addressOf(request) },
          "a used refresh token was used again",
        );
        throw sessionEnded();
      }
      return { access_token: refreshed.accessToken, refresh_token: refreshed.refreshToken };
    }),
    route(contract.logout, async ({ body, request }) => {
      const ended = await logout(deps, { refreshToken: body.refreshToken, ip: addressOf(request) });
      if (ended !== null) noteAuditedUser(request, ended.userId);
      return undefined;
    }),
    route(contract.listSessions, ({ caller }) => listSessions(deps.database, caller)),
    route(contract.endSession, ({ caller, params }) => endSession(deps, caller, params.id).then(() => undefined)),
    route(contract.endOtherSessions, ({ caller }) => endEveryOtherSession(deps, caller).then(() => undefined)),
  ];
}
