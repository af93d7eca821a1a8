import { randomUUID } from "node:crypto";
import type { HeldNumber, Provisioner } from "@leadline/adapter-kit/provisioner";
import type { UnusedNumber } from "@leadline/contract/number-orders";
import { asLeadline } from "../../../db/as-leadline.ts";
import type { Tx } from "../../../db/transaction.ts";
import type { Member } from "../../../http/route.ts";
import type { ConnectedAccount } from "../../carrier-accounts/use-accounts.ts";
import { networkOf, type NumberDeps } from "../number-deps.ts";
import { selectHoldersForOthers } from "../holders.table.ts";
import { lockNumbers, type NumberOrder } from "../phone-numbers.table.ts";
import { publishNumbersChanged } from "../settle-order.ts";
import { insertFound, markGone, selectOfAccount, setRingsElsewhere } from "./account-numbers.table.ts";
import { toNumberProblem } from "./number-problem.ts";

interface Held {
  numbers: HeldNumber[];
  account: ConnectedAccount;
}

/** Compares, and returns the account's numbers that don't ring here. */
export const checkAccountNumbers = (deps: NumberDeps, caller: Member, id: string): Promise<UnusedNumber[]> =>
  unusedOf(deps, caller, { id, held: reconcileAccount(deps, { organisationId: caller.organisation.id, id }) });

/** The account's numbers that don't ring here. Stores nothing. */
export function listUnusedNumbers(deps: NumberDeps, caller: Member, id: string): Promise<UnusedNumber[]> {
  const key = { organisationId: caller.organisation.id, id };
  const held = deps.accounts.use(key, async (provisioner, account) => ({
    numbers: await provisioner.numbers(),
    account,
  }));
  return unusedOf(deps, caller, { id, held });
}

async function unusedOf(
  deps: NumberDeps,
  caller: Member,
  { id, held: reading }: { id: string; held: Promise<Held> },
): Promise<UnusedNumber[]> {
  const organisationId = caller.organisation.id;
  const held = await reading.catch((error: unknown) => {
    throw toNumberProblem(error);
  });
  return deps.database.withTransaction({ organisationId, userId: caller.userId }, async (tx) => {
    const known = await selectOfAccount(tx, { organisationId, accountId: id });
    const usedHere = new Set(known.filter(({ ringsElsewhere }) => !ringsElsewhere).map(({ number }) => number));
    const candidates = held.numbers.filter(({ number }) => !usedHere.has(number));
    const holders = await selectHoldersForOthers(
      tx,
      networkOf(held.account),
      candidates.map(({ number }) => number),
    );
    const isOurs = (number: string): boolean => known.some((each) => each.number === number);
    const taken = new Set(
      holders
        .filter((holder) => holder.organisationId !== organisationId || !isOurs(holder.number))
        .map(({ number }) => number),
    );
    return candidates
      .filter(({ number }) => !taken.has(number))
      .map(({ number, trunk, use }) => ({ number, use: trunk === held.account.trunk ? null : use }));
  });
}

/** Lists the account's numbers, and stores which were bought, released or moved outside Leadline. */
export async function reconcileAccount(
  deps: NumberDeps,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<Held> {
  const scope = { organisationId };
  // Read before asking the vendor, so that a number bought meanwhile isn't taken for missing.
  const before = await deps.database.withTransaction(scope, (tx) =>
    selectOfAccount(tx, { organisationId, accountId: id }),
  );
  return deps.accounts.use({ organisationId, id }, async (provisioner, account) => {
    const numbers = await provisioner.numbers();
    const gone = await confirmGone(provisioner, { before, numbers });
    await deps.database.withTransaction(scope, async (tx) => {
      await lockNumbers(tx, organisationId);
      const changed = await asLeadline(tx, "phone-number.compared", async () => [
        ...(await noteMissing(tx, { account, before, numbers, gone })),
        ...(await insertStrange(tx, { account, before, numbers })),
      ]);
      if (changed.length > 0) await publishNumbersChanged(tx, organisationId);
    });
    return { numbers, account };
  });
}

interface Compared {
  account: ConnectedAccount;
  before: readonly NumberOrder[];
  numbers: readonly HeldNumber[];
  /** Confirmed: the account doesn't hold these any more. */
  gone: ReadonlySet<string>;
}

/** A new number, or its trunk, may not be in the vendor's list yet. */
const graceMs = 10 * 60_000;
const isNew = ({ stateSince }: NumberOrder): boolean => Date.now() - Date.parse(stateSince) < graceMs;

const comparable = ({ before }: Pick<Compared, "before">): NumberOrder[] =>
  before.filter((each) => each.state === "owned" && !isNew(each));

/** Asks for each number that isn't listed, because a list can be incomplete. */
async function confirmGone(
  provisioner: Pick<Provisioner, "holds">,
  compared: Pick<Compared, "before" | "numbers">,
): Promise<ReadonlySet<string>> {
  const listed = new Set(compared.numbers.map(({ number }) => number));
  const gone = new Set<string>();
  for (const { number } of comparable(compared))
    if (!listed.has(number) && !(await provisioner.holds(number))) gone.add(number);
  return gone;
}

/** Notes our numbers that the account no longer holds, or that it routes elsewhere, until they ring here again. */
async function noteMissing(tx: Tx, { account, before, numbers, gone }: Compared): Promise<string[]> {
  const changed: string[] = [];
  for (const order of comparable({ before })) {
    const held = numbers.find(({ number }) => number === order.number);
    if (!held && !gone.has(order.number)) continue;
    const ringsElsewhere = held?.trunk !== account.trunk;
    const moved = `${order.number} doesn’t ring here any more: it was moved at ${account.vendorName}.`;
    if (!held) await markGone(tx, order, `${order.number} was released at ${account.vendorName}, not here.`);
    else if (ringsElsewhere === order.ringsElsewhere) continue;
    else if (ringsElsewhere) await setRingsElsewhere(tx, order, { ringsElsewhere, note: moved });
    else await setRingsElsewhere(tx, order, { ringsElsewhere, note: order.note === moved ? null : order.note });
    changed.push(order.number);
  }
  return changed;
}

/** Numbers that ring at our trunk and weren't bought here. */
async function insertStrange(tx: Tx, { account, before, numbers }: Omit<Compared, "gone">): Promise<string[]> {
  const known = new Set(before.map(({ number }) => number));
  const changed: string[] = [];
  for (const { number, trunk, monthlyCostMicros } of numbers) {
    if (trunk !== account.trunk || known.has(number)) continue;
    const { organisationId, id: accountId, carrierId: connectionId, vendor: carrier, isSandbox } = account;
    const note = `${number} was bought at ${account.vendorName}, not here. It rings here now.`;
    const found = {
      id: randomUUID(),
      organisationId,
      number,
      carrier,
      isOfSandbox: isSandbox,
      accountId,
      connectionId,
      monthlyCostMicros,
      note,
    };
    if (await insertFound(tx, found)) changed.push(number);
  }
  return changed;
}
