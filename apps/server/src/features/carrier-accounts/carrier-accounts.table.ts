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
  balance: ColumnType<Balance, string | null, string | null>;
  restriction: string | null;
  created_at: Generated<string>;
}

export interface CarrierAccountSecretTable {
  account_id: string;
  organisation_id: string;
  sealed: string;
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
  balance: Balance;
  restriction: string | null;
  createdAt: string;
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
  balance: row.balance,
  restriction: row.restriction,
  createdAt: row.created_at,
});

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

/** The organisation's carriers, of accounts or not. */
export async function selectCarrierIds(tx: Tx, organisationId: string): Promise<string[]> {
  const rows = await tx.selectFrom("carriers").select("id").where("organisation_id", "=", organisationId).execute();
  return rows.map(({ id }) => id);
}

export async function findAccount(tx: Tx, { organisationId, id }: Key): Promise<StoredAccount | null> {
  const row = await tx
    .selectFrom("carrier_accounts")
    .selectAll()
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
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
export async function selectConnected(tx: Tx): Promise<StoredAccount[]> {
  const rows = await tx.selectFrom("carrier_accounts").selectAll().where("state", "=", "connected").execute();
  return rows.map(toAccount);
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
  change: Partial<Pick<StoredAccount, "state" | "steps" | "failure" | "balance" | "restriction" | "isSandbox">>,
): Promise<void> {
  const { state, steps, failure, balance, restriction, isSandbox } = change;
  await tx
    .updateTable("carrier_accounts")
    .set({
      ...(state !== undefined && { state }),
      ...(steps !== undefined && { steps: JSON.stringify(steps) }),
      ...(failure !== undefined && { failure }),
      ...(balance !== undefined && { balance: balance && JSON.stringify(balance) }),
      ...(restriction !== undefined && { restriction }),
      ...(isSandbox !== undefined && { is_sandbox: isSandbox }),
    })
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .execute();
}

/** False if the account is no longer connecting, or has another key: the run's results are obsolete. */
export async function isStillWanted(tx: Tx, { organisationId, id }: Key, sealed: string | null): Promise<boolean> {
  const row = await tx
    .selectFrom("carrier_accounts")
    .select("state")
    .where("organisation_id", "=", organisationId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  return row?.state === "connecting" && (await findSealed(tx, { organisationId, id })) === sealed;
}

export async function deleteAccount(tx: Tx, { organisationId, id }: Key): Promise<void> {
  await tx.deleteFrom("carrier_accounts").where("organisation_id", "=", organisationId).where("id", "=", id).execute();
}

export async function putSealed(tx: Tx, { organisationId, id }: Key, sealed: string): Promise<void> {
  await tx
    .insertInto("carrier_account_secrets")
    .values({ account_id: id, organisation_id: organisationId, sealed })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ sealed }))
    .execute();
}

export async function findSealed(tx: Tx, { organisationId, id }: Key): Promise<string | null> {
  const row = await tx
    .selectFrom("carrier_account_secrets")
    .select("sealed")
    .where("organisation_id", "=", organisationId)
    .where("account_id", "=", id)
    .executeTakeFirst();
  return row?.sealed ?? null;
}

/** Of all organisations. Needs the system scope. */
export async function selectSealed(tx: Tx): Promise<{ id: string; organisationId: string; sealed: string }[]> {
  return tx
    .selectFrom("carrier_account_secrets")
    .select(["account_id as id", "organisation_id as organisationId", "sealed"])
    .execute();
}

/** Skips a secret that has changed meanwhile. */
export async function replaceSealed(tx: Tx, secret: { id: string; sealed: string; renewed: string }): Promise<void> {
  await tx
    .updateTable("carrier_account_secrets")
    .set({ sealed: secret.renewed })
    .where("account_id", "=", secret.id)
    .where("sealed", "=", secret.sealed)
    .execute();
}
