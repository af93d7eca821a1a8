import type { Tx } from "../../db/transaction.ts";

interface OfCarrier {
  organisationId: string;
  /** Null for the installation's carrier. */
  accountId: string | null;
}

const ofCarrier = (tx: Tx, { organisationId, accountId }: OfCarrier) =>
  tx
    .selectFrom("phone_numbers")
    .select("id")
    .where("organisation_id", "=", organisationId)
    .where("account_id", "is not distinct from", accountId);

export async function hasCallerId(tx: Tx, which: OfCarrier): Promise<boolean> {
  const row = await ofCarrier(tx, which).where("is_caller_id", "=", true).executeTakeFirst();
  return row !== undefined;
}

/** Makes the carrier's oldest number its caller ID, if it has none. Lock first. */
export async function moveCallerId(tx: Tx, { organisationId, accountId }: OfCarrier): Promise<void> {
  if (await hasCallerId(tx, { organisationId, accountId })) return;
  const oldest = await ofCarrier(tx, { organisationId, accountId })
    .where("state", "=", "owned")
    .orderBy("acquired_at")
    .orderBy("id", "desc")
    .executeTakeFirst();
  if (oldest) await makeCallerId(tx, { organisationId, accountId, id: oldest.id });
}

/** At the number's carrier. Lock first. */
export async function makeCallerId(tx: Tx, which: OfCarrier & { id: string }): Promise<void> {
  const set = (isCallerId: boolean) =>
    tx
      .updateTable("phone_numbers")
      .set({ is_caller_id: isCallerId })
      .where("organisation_id", "=", which.organisationId)
      .where("account_id", "is not distinct from", which.accountId);
  await set(false).where("is_caller_id", "=", true).execute();
  await set(true).where("id", "=", which.id).where("state", "=", "owned").execute();
}

/** The organisation's numbers at one carrier, oldest first. */
export async function selectNumbersAt(
  tx: Tx,
  which: { organisationId: string; carrier: string; connectionId: string | null },
): Promise<{ number: string; label: string | null; isCallerId: boolean }[]> {
  const { organisationId, carrier, connectionId } = which;
  return tx
    .selectFrom("phone_numbers")
    .select(["number", "label", "is_caller_id as isCallerId"])
    .where("organisation_id", "=", organisationId)
    .where("state", "=", "owned")
    .$if(connectionId === null, (query) => query.where("account_id", "is", null).where("carrier", "=", carrier))
    .$if(connectionId !== null, (query) => query.where("connection_id", "=", connectionId))
    .orderBy("acquired_at")
    .orderBy("id")
    .execute();
}

/** E.164 of the owned numbers that this carrier of the organisation may show: a sandbox's only on its own trunk. */
export async function selectShowable(
  tx: Tx,
  { organisationId, connectionId }: { organisationId: string; connectionId: string | null },
): Promise<string[]> {
  const rows = await tx
    .selectFrom("phone_numbers")
    .select("number")
    .where("organisation_id", "=", organisationId)
    .where("state", "=", "owned")
    .where((or) => or.or([or("of_sandbox", "=", false), or("connection_id", "=", connectionId)]))
    .execute();
  return rows.map(({ number }) => number);
}
