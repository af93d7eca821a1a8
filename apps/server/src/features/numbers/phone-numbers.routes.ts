import * as contract from "@leadline/contract/phone-numbers";
import { type Route, route } from "../../http/route.ts";
import { buyPhoneNumber } from "./buy-phone-number.ts";
import { listAvailableNumbers } from "./list-available-numbers.ts";
import { listPhoneNumbers } from "./list-phone-numbers.ts";
import type { NumberDeps } from "./number-deps.ts";
import { readNumberUse } from "./read-number-use.ts";
import { readRenewals } from "./renewals/read-renewals.ts";
import { releasePhoneNumber } from "./release-phone-number.ts";
import { updatePhoneNumber } from "./update-phone-number.ts";

export const phoneNumberRoutes = (deps: NumberDeps): Route[] => [
  route(contract.listPhoneNumbers, ({ caller }) => listPhoneNumbers(deps, caller)),
  route(contract.readNumberUse, ({ caller }) => readNumberUse(deps, caller)),
  route(contract.readNumberRenewals, ({ caller }) => readRenewals(deps, caller)),
  route(contract.listAvailableNumbers, async ({ caller, query, reply }) => {
    const { available, next } = await listAvailableNumbers(deps, caller, query);
    if (next !== null) reply.header("link", `</api/v1/phone-numbers/available?${next}>; rel="next"`);
    return available;
  }),
  route(contract.buyPhoneNumber, ({ caller, body, headers }) =>
    buyPhoneNumber(deps, { caller, ...body, idempotencyKey: headers["idempotency-key"] ?? null }),
  ),
  route(contract.updatePhoneNumber, ({ caller, params, body }) =>
    updatePhoneNumber(deps, { caller, id: params.id, change: body }),
  ),
  route(contract.releasePhoneNumber, async ({ caller, params }) => {
    await releasePhoneNumber(deps, { caller, id: params.id });
    return undefined;
  }),
];
