import { register } from "@leadline/contract/sessions";
import type { Database } from "../../db/database.ts";
import { addressOf } from "../../http/address-of.ts";
import { type Route, route } from "../../http/route.ts";
import { noteAuditedUser } from "../../http/serve-route.ts";
import { type RegistrationRules, registerUser } from "./register-user.ts";

/** Anyone may register if no rules are given. */
export function registrationRoutes(deps: { database: Database; rules?: RegistrationRules }): Route[] {
  return [
    route(register, async ({ body, request }) => {
      const registered = await registerUser(deps.database, body, addressOf(request), deps.rules);
      noteAuditedUser(request, registered.id);
      return registered;
    }),
  ];
}
