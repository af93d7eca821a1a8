import { randomUUID } from "node:crypto";
import type { CarrierAccount, connectCarrierAccount } from "@leadline/contract/carrier-accounts";
import type { z } from "zod";
import { invalidInput } from "../../http/read-input.ts";
import { messageForIssue } from "../../http/message-for-issue.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { countOutboundConnection } from "../attempts/count-outbound-connection.ts";
import { type AccountDeps, noAccount, requireVendor } from "./account-deps.ts";
import { newPassword, openSecrets, encryptSecrets } from "./account-secrets.ts";
import {
  changeAccount,
  changeSealed,
  findAccount,
  findSealed,
  insertAccount,
  insertSealed,
  lockAccount,
  newestOf,
  selectAccounts,
  selectCarriers,
  selectPortsInTurn,
  type StoredAccount,
} from "./carrier-accounts.table.ts";
import { findFreePort } from "./find-free-port.ts";
import { toAccount } from "./list-accounts.ts";
import { sandboxOf } from "./open-provisioner.ts";

/** Per organisation. */
const maxAccounts = 10;

export async function createAccount(
  deps: AccountDeps,
  { organisation, userId }: Member,
  given: z.output<NonNullable<(typeof connectCarrierAccount)["body"]>>,
): Promise<{ account: CarrierAccount; stored: StoredAccount }> {
  await countOutboundConnection(deps.database, userId);
  const key = readKey(deps, given.vendor, given.key);
  const owner = { organisationId: organisation.id, id: randomUUID() };
  const isSandbox = sandboxOf(deps, given.vendor, key) !== null;
  const stored = await deps.database.withTransaction({ organisationId: organisation.id, userId }, async (tx) => {
    const { vendor, label } = given;
    if ((await selectAccounts(tx, organisation.id)).length >= maxAccounts)
      throw new Problem(
        "quota-reached",
        `Your organisation has ${maxAccounts} accounts. Disconnect one you don’t need.`,
      );
    const localPort = await findFreePort(await selectPortsInTurn(tx));
    if (localPort === null)
      throw new Problem("quota-reached", "This server has no port left for another account. Ask its administrator.");
    await insertAccount(tx, { ...owner, vendor, label, carrierId: randomUUID(), localPort, isSandbox });
    await insertSealed(tx, owner, encryptSecrets(deps.sealer, owner, { key, password: newPassword(), isSandbox }));
    return findAccount(tx, owner);
  });
  if (!stored) throw noAccount();
  return { account: toAccount(stored, []), stored };
}

/**
 * Keeps the trunk's password, unless it can't be decrypted. An account in use stays in use with its key until another
 * one has connected it.
 */
export async function reconnectAccount(
  deps: AccountDeps,
  { organisation, userId }: Member,
  { id, key: given }: { id: string; key?: Record<string, unknown> | undefined },
): Promise<{ account: CarrierAccount; stored: StoredAccount }> {
  const owner = { organisationId: organisation.id, id };
  const scope = { organisationId: organisation.id, userId };
  if ((await deps.database.withTransaction(scope, (tx) => findAccount(tx, owner))) === null) throw noAccount();
  await countOutboundConnection(deps.database, userId);
  const { stored, carriers } = await deps.database.withTransaction(scope, async (tx) => {
    const account = await lockAccount(tx, owner);
    if (!account || account.state === "disconnecting") throw noAccount();
    if (given !== undefined) {
      const sealed = await findSealed(tx, owner);
      const key = readKey(deps, account.vendor, given);
      const password = openSecrets(deps.sealer, owner, newestOf(sealed))?.password ?? newPassword();
      const isSandbox = sandboxOf(deps, account.vendor, key) !== null;
      const next = encryptSecrets(deps.sealer, owner, { key, password, isSandbox });
      // What was made with the one before is removed with it.
      if (account.mayHaveTrunk) await changeSealed(tx, owner, { next });
      else {
        await changeSealed(tx, owner, { used: next, next: null });
        await changeAccount(tx, owner, { isSandbox });
      }
    }
    await changeAccount(tx, owner, { state: "connecting", steps: [], failure: null });
    return { stored: await findAccount(tx, owner), carriers: await selectCarriers(tx, organisation.id) };
  });
  if (!stored) throw noAccount();
  return { account: toAccount(stored, carriers), stored };
}

function readKey(deps: AccountDeps, vendor: string, given: Record<string, unknown>): Record<string, unknown> {
  const parsed = requireVendor(deps, vendor).settings.safeParse(given, { error: messageForIssue });
  if (parsed.success) return parsed.data;
  throw invalidInput(parsed.error.issues.map(({ path, message }) => ({ path: ["key", ...path], message })));
}
