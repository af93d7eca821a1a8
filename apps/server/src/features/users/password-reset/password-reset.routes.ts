import * as contract from "@leadline/contract/passwords";
import { addressOf } from "../../../http/address-of.ts";
import { type Route, route } from "../../../http/route.ts";
import { noteAuditedUser } from "../../../http/serve-route.ts";
import type { MailedLinks } from "../../../mail/mailed-links.ts";
import { checkResetLink } from "./check-reset-link.ts";
import { forgotPassword, type PasswordDeps } from "./forgot-password.ts";
import { resetPassword } from "./reset-password.ts";

export function passwordResetRoutes(deps: PasswordDeps & { links: MailedLinks }): Route[] {
  return [
    route(contract.forgotPassword, async ({ body, request }) => {
      await forgotPassword(deps, { email: body.email, ip: addressOf(request) });
      return undefined;
    }),
    route(contract.checkResetLink, async ({ body, request }) => {
      await checkResetLink(deps, { token: body.token, ip: addressOf(request) });
      return undefined;
    }),
    route(contract.resetPassword, async ({ body, request }) => {
      const { userId } = await resetPassword(deps, { ...body, ip: addressOf(request) });
      noteAuditedUser(request, userId);
      return undefined;
    }),
  ];
}
