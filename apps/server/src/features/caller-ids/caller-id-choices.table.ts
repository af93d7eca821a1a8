import type { Tx } from "../../db/transaction.ts";

export interface CallerIdChoices {
  /** E.164. */
  memberDefault: string | null;
  localPresence: boolean;
}

interface Key {
  organisationId: string;
  userId: string;
}

export async function selectChoices(tx: Tx, { organisationId, userId }: Key): Promise<CallerIdChoices> {
  const row = await tx
    .selectFrom("organisations")
    .leftJoin("memberships", (join) =>
      join.onRef("memberships.organisation_id", "=", "organisations.id").on("memberships.user_id", "=", userId),
    )
    .select(["memberships.caller_id as memberDefault", "organisations.local_presence as localPresence"])
    .where("organisations.id", "=", organisationId)
    .executeTakeFirst();
  return row ?? { memberDefault: null, localPresence: false };
}

export async function setMemberDefault(tx: Tx, { organisationId, userId }: Key, number: string | null): Promise<void> {
  await tx
    .updateTable("memberships")
    .set({ caller_id: number })
    .where("organisation_id", "=", organisationId)
    .where("user_id", "=", userId)
    .execute();
}

export async function setLocalPresence(tx: Tx, organisationId: string, enabled: boolean): Promise<void> {
  await tx.updateTable("organisations").set({ local_presence: enabled }).where("id", "=", organisationId).execute();
}
