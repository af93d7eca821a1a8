import * as contract from "@leadline/contract/hosted-login";
import { addressOf } from "../../http/address-of.ts";
import { type Route, route } from "../../http/route.ts";
import { noteAuditedUser } from "../../http/serve-route.ts";
import { originOf } from "../sessions/origin-of.ts";
import { finishHostedLogin } from "./finish-hosted-login.ts";
import type { HostedLoginDeps } from "./hosted-login-deps.ts";
import { leaveHostedLogin } from "./leave-hosted-login.ts";
import { startHostedLogin } from "./start-hosted-login.ts";

export function hostedLoginRoutes(deps: HostedLoginDeps): Route[] {
  return [
    route(contract.getLoginOptions, async () => ({
      hostedLogin: deps.provider && { name: deps.provider.name },
      registration: deps.registration ?? "open",
    })),
    route(contract.startHostedLogin, ({ body, request }) =>
      startHostedLogin(deps, { path: body.path, ip: addressOf(request) }),
    ),
    route(contract.finishHostedLogin, async ({ body, request }) => {
      const { code, state, proof, iss } = body;
      const signedIn = await finishHostedLogin(deps, { code, state, proof, iss }, originOf(request)).catch(
        (error: unknown) => {
          request.log.warn(
            { security: "hosted-login-failed", ip: addressOf(request), err: error },
            "hosted login failed",
          );
          throw error;
        },
      );
      const { userId, token, refreshToken, idToken, became } = signedIn;
      noteAuditedUser(request, userId);
      if (became !== "known") request.log.info({ audit: `hosted-login.${became}`, userId }, "audit");
      return { access_token: token, refresh_token: refreshToken, id_token: idToken };
    }),
    route(contract.leaveHostedLogin, ({ body, request }) =>
      leaveHostedLogin(deps, { idToken: body.idToken, ip: addressOf(request) }),
    ),
  ];
}
