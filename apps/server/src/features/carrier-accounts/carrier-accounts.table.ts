import type { ConnectStep } from "@leadline/adapter-kit/provisioner";
import { type ColumnType, type Generated, type Selectable, sql } from "kysely";
import type { Tx } from "../../db/transaction.ts";

export interface DoneStep {
  step: ConnectStep;
  sentence: string;
}
type Balance = { micros: number; currency: string } | null;

export interface CarrierAccountTable {
  id: string;
  organisation_id: string;
  vendor: string;
  label: string;
  /** connecting → connected or failed → connecting …; from any of these to disconnecting, after which the row is deleted. */
  state: "connecting" | "connected" | "failed" | "disconnecting";
  steps: ColumnType<DoneStep[], string | undefined, string>;
  failure: string | null;
  carrier_id: string;
  local_port: number;
  is_sandbox: boolean;
  /** The vendor's own id of it. Null until it is read, and if the vendor has none. */
  vendor_account_id: string | null;
  /** Something may have been made in the vendor's account. Then only keys of that account are accepted. */
  may_have_trunk: Generated<boolean>;
  balance: ColumnType<Balance, string | null, string | null>;
  restriction: string | null;
  created_at: Generated<string>;
  /** The address of this server that the vendor calls, as of the last time that it was connected. Null if it calls none. */
  called_address: string | null;
  /** Since then it is in use, whatever becomes of later attempts to connect it. */
  connected_at: string | null;
  mirrored_limits: ColumnType<object | null, string | null, string | null>;
}

export interface CarrierAccountSecretTable {
  account_id: string;
  organisation_id: string;
  sealed: string;
  /** The key that is being tried, or was tried last. Null: `sealed`. */
  next_sealed: string | null;
}

export interface StoredAccount {
  id: string;
  organisationId: string;
  vendor: string;
  label: string;
  state: CarrierAccountTable["state"];
  steps: DoneStep[];
  failure: string | null;
  carrierId: string;
  localPort: number;
  isSandbox: boolean;
  vendorAccountId: string | null;
  mayHaveTrunk: boolean;
  balance: Balance;
  restriction: string | null;
  createdAt: string;
  calledAddress: string | null;
  connectedAt: string | null;
}

interface Key {
  organisationId: string;
  id: string;
}

const toAccount = (row: Selectable<CarrierAccountTable>): StoredAccount => ({
  id: row.id,
  organisationId: row.organisation_id,
  vendor: row.vendor,
  label: row.label,
  state: row.state,
  steps: row.steps,
  failure: row.failure,
  carrierId: row.carrier_id,
  localPort: row.local_port,
  isSandbox: row.is_sandbox,
  vendorAccountId: row.vendor_account_id,
  mayHaveTrunk: row.may_have_trunk,
  balance: row.balance,
  restriction: row.restriction,
  createdAt: row.created_at,
  calledAddress: row.called_address,
  connectedAt: row.connected_at,
});

/** Connected once, and not being removed. */
export const isUsable = ({ connectedAt, state }: Pick<StoredAccount, "connectedAt" | "state">): boolean =>
  connectedAt !== null && state !== "disconnecting";

/** Oldest first. */
export async function selectAccounts(tx: Tx, organisationId: string): Promise<StoredAccount[]> {
  const rows = await tx
    .selectFrom("carrier_accounts")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  return rows.map(toAccount);
}

export interface AccountCarrier {
  id: string;
  /** 0: any free one. */
  localPort: number;
}
const localPort = sql<number>`coalesce((settings ->> 'localPort')::integer, 0)`.as("localPort");

/** The organisation's carriers, of accounts or not. */
export const selectCarriers = (tx: Tx, organisationId: string): Promise<AccountCarrier[]> =>
  tx.selectFrom("carriers").select(["id", localPort]).where("organisation_id", "=", organisationId).execute();

export async function findAccount(tx: Tx, { organisationId, id }: Key): Promise<StoredAccount | null> {
  const row = await tx
    .selectFrom("carrier_accounts")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toAccount(row) : null;
}

/** Until the transaction ends, nobody else changes it. */
export async function lockAccount(tx: Tx, { organisationId, id }: Key): Promise<StoredAccount | null> {
  const row = await tx
    .selectFrom("carrier_accounts")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row ? toAccount(row) : null;
}

/** Unfinished accounts of all organisations. Needs the system scope. */
export async function selectUnfinished(tx: Tx): Promise<StoredAccount[]> {
  const rows = await tx
    .selectFrom("carrier_accounts")
    .selectAll()
    .where("state", "in", ["connecting", "disconnecting"])
    .execute();
  return rows.map(toAccount);
}

/** Of all organisations. Needs the system scope. */
export async function selectUsable(tx: Tx): Promise<StoredAccount[]> {
  const rows = await tx.selectFrom("carrier_accounts").selectAll().where("connected_at", "is not", null).execute();
  return rows.map(toAccount).filter(isUsable);
}

/**
 * UDP ports on this machine that any organisation's account or carrier uses. Locked until the transaction ends, so that
 * no other account gets the same one.
 */
export async function selectPortsInTurn(tx: Tx): Promise<number[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended('carrier account ports', 0))`.execute(tx);
  // Row-level security hides other organisations' rows; this one only learns which port it gets.
  await sql`select set_config('app.scope', 'system', true)`.execute(tx);
  const rows = await tx
    .selectFrom("carrier_accounts")
    .select("local_port as port")
    .unionAll(
      tx
        .selectFrom("carriers")
        .select(sql<number>`(identity ->> 'localPort')::integer`.as("port"))
        .where(sql`identity ->> 'localPort'`, "is not", null),
    )
    .execute();
  await sql`select set_config('app.scope', '', true)`.execute(tx);
  return rows.map(({ port }) => port);
}

export async function insertAccount(
  tx: Tx,
  account: Pick<StoredAccount, "id" | "organisationId" | "vendor" | "label" | "carrierId" | "localPort" | "isSandbox">,
): Promise<void> {
  await tx
    .insertInto("carrier_accounts")
    .values({
      id: account.id,
      organisation_id: account.organisationId,
      vendor: account.vendor,
      label: account.label,
      state: "connecting",
      carrier_id: account.carrierId,
      local_port: account.localPort,
      is_sandbox: account.isSandbox,
    })
    .execute();
}

export async function changeAccount(
  tx: Tx,
  { organisationId, id }: Key,
  change: Partial<
    Pick<
      StoredAccount,
      "state" | "steps" | "failure" | "balance" | "restriction" | "isSandbox" | "vendorAccountId" | "mayHaveTrunk"
    >
  >,
): Promise<void> {
  const { state, steps, failure, balance, restriction, isSandbox, vendorAccountId, mayHaveTrunk } = change;
  await tx
    .updateTable("carrier_accounts")
    .set({
      ...(state !== undefined && { state }),
      ...(steps !== undefined && { steps: JSON.stringify(steps) }),
      ...(failure !== undefined && { failure }),
      ...(balance !== undefined && { balance: balance && JSON.stringify(balance) }),
      ...(restriction !== undefined && { restriction }),
      ...(isSandbox !== undefined && { is_sandbox: isSandbox }),
      ...(vendorAccountId !== undefined && { vendor_account_id: vendorAccountId }),
      ...(mayHaveTrunk !== undefined && { may_have_trunk: mayHaveTrunk }),
    })
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
}

/** So that of two concurrent accounts, the later one sees the vendor's account of the first. */
export async function lockVendorAccounts(tx: Tx, organisationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('vendor-accounts:' || ${organisationId}, 0))`.execute(tx);
}

/** False if the account is no longer connecting, or has another key: the run's results are obsolete. */
export async function isStillWanted(tx: Tx, { organisationId, id }: Key, sealed: string | null): Promise<boolean> {
  if ((await lockAccount(tx, { organisationId, id }))?.state !== "connecting") return false;
  return newestOf(await findSealed(tx, { organisationId, id })) === sealed;
}

/** From now on it is used with the key that it was connected with. */
export async function markConnected(
  tx: Tx,
  key: Key,
  { isSandbox, calledAddress, localPort: port }: Pick<StoredAccount, "isSandbox" | "calledAddress" | "localPort">,
): Promise<void> {
  const { organisationId, id } = key;
  await tx
    .updateTable("carrier_accounts")
    .set({ state: "connected", failure: null, is_sandbox: isSandbox, called_address: calledAddress, local_port: port })
    .set({ connected_at: sql`clock_timestamp()` })
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
  await tx
    .updateTable("carrier_account_secrets")
    .set({ sealed: sql`coalesce(next_sealed, sealed)`, next_sealed: null })
    .where("organisation_id", "=", organisationId)
    .where("account_id", "=", id)
    .execute();
}

export async function deleteAccount(tx: Tx, { organisationId, id }: Key): Promise<void> {
  await tx.deleteFrom("carrier_accounts").where("organisation_id", "=", organisationId).where("id", "=", id).execute();
}

export interface SealedKeys {
  used: string;
  /** The one that is being tried, or was tried last. Null: the one in use. */
  next: string | null;
}
export const newestOf = (keys: SealedKeys | null): string | null => keys && (keys.next ?? keys.used);

export async function insertSealed(tx: Tx, { organisationId, id }: Key, sealed: string): Promise<void> {
  const values = { account_id: id, organisation_id: organisationId, sealed };
  await tx.insertInto("carrier_account_secrets").values(values).execute();
}

export async function changeSealed(tx: Tx, { organisationId, id }: Key, keys: Partial<SealedKeys>): Promise<void> {
  const { used, next } = keys;
  await tx
    .updateTable("carrier_account_secrets")
    .set({ ...(used !== undefined && { sealed: used }), ...(next !== undefined && { next_sealed: next }) })
    .where("organisation_id", "=", organisationId)
    .where("account_id", "=", id)
    .execute();
}

export async function findSealed(tx: Tx, { organisationId, id }: Key): Promise<SealedKeys | null> {
  const row = await tx
    .selectFrom("carrier_account_secrets")
    .select(["sealed as used", "next_sealed as next"])
    .where("organisation_id", "=", organisationId)
    .where("account_id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Of all organisations, locked. Needs the system scope. */
export async function selectSealed(tx: Tx): Promise<(Key & SealedKeys)[]> {
  return tx
    .selectFrom("carrier_account_secrets")
    .select(["account_id as id", "organisation_id as organisationId", "sealed as used", "next_sealed as next"])
    .forUpdate()
    .execute();
}
