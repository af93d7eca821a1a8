import type { NumberOrder as ApiNumberOrder } from "@leadline/contract/number-orders";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { type NumberDeps, providerOf } from "../number-deps.ts";
import type { NumberOrder } from "../phone-numbers.table.ts";
import { publishNumbersChanged } from "../settle-order.ts";
import { dismiss, selectNoted } from "./account-numbers.table.ts";

export async function listNumberOrders(deps: NumberDeps, { organisation, userId }: Member): Promise<ApiNumberOrder[]> {
  const scope = { userId, organisationId: organisation.id };
  const noted = await deps.database.withTransaction(scope, (tx) => selectNoted(tx, organisation.id));
  return noted.map((order) => toApiOrder(deps, order));
}

export async function dismissNumberOrder(
  deps: NumberDeps,
  { organisation, userId }: Member,
  id: string,
): Promise<void> {
  const organisationId = organisation.id;
  await deps.database.withTransaction({ userId, organisationId }, async (tx) => {
    if (!(await dismiss(tx, { organisationId, id }))) throw new Problem("not-found", "This message is gone already.");
    await publishNumbersChanged(tx, organisationId);
  });
}

export function toApiOrder(deps: NumberDeps, order: NumberOrder): ApiNumberOrder {
  const { id, number, accountId, note, stateSince } = order;
  return {
    id,
    number,
    provider: providerOf(deps, order),
    accountId,
    state: apiStateOf(order),
    sentence:
      order.state === "releasing"
        ? "The carrier hasn’t confirmed this yet. Leadline keeps trying."
        : (note ?? (order.state === "buying" ? "The order has been sent to the carrier." : null)),
    since: stateSince,
  };
}

function apiStateOf({ state, note }: NumberOrder): ApiNumberOrder["state"] {
  if (state === "buying") return "pending";
  if (state === "refused" || state === "releasing") return state;
  return note === null ? "bought" : "changed-elsewhere";
}
