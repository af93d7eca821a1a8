import * as contract from "@leadline/contract/number-orders";
import { type Route, route } from "../../../http/route.ts";
import type { NumberDeps } from "../number-deps.ts";
import { adoptNumber } from "./adopt-number.ts";
import { checkAccountNumbers, listUnusedNumbers } from "./check-account-numbers.ts";
import { dismissNumberOrder, listNumberOrders } from "./list-number-orders.ts";
import { toNumberProblem } from "./number-problem.ts";
import { orderNumber } from "./order-number.ts";
import { readTypeOfNumber } from "./type-of-number.ts";

export const numberOrderRoutes = (deps: NumberDeps): Route[] => [
  route(contract.listNumberOrders, ({ caller }) => listNumberOrders(deps, caller)),
  route(contract.orderNumber, ({ caller, body: { currentPassword, ...wish }, headers }) =>
    orderNumber(deps, { caller, wish, currentPassword, idempotencyKey: headers["idempotency-key"] ?? null }),
  ),
  route(contract.dismissNumberOrder, async ({ caller, params }) => {
    await dismissNumberOrder(deps, caller, params.id);
    return undefined;
  }),
  route(contract.readNumberRequirements, async ({ caller, query }) => {
    const key = { organisationId: caller.organisation.id, id: query.accountId };
    const { countryCode, number } = query;
    const asked = await deps.accounts
      .use(key, async (provisioner, { vendorName }) => {
        const type = await readTypeOfNumber(provisioner, { number, countryCode, vendorName });
        return provisioner.requirements(countryCode, type, number);
      })
      .catch((error: unknown) => {
        throw toNumberProblem(error);
      });
    return asked.map(({ met, sentence }) => ({ met, sentence }));
  }),
  route(contract.listUnusedNumbers, ({ caller, params }) => listUnusedNumbers(deps, caller, params.id)),
  route(contract.checkAccountNumbers, ({ caller, params }) => checkAccountNumbers(deps, caller, params.id)),
  route(contract.adoptNumber, ({ caller, params, body }) => adoptNumber(deps, caller, { id: params.id, ...body })),
];
