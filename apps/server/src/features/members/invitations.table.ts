import type { Invitation, ReadInvitation } from "@leadline/contract/members";
import { type Generated, sql } from "kysely";
import { readableEmail } from "../users/readable-email.ts";
import type { Tx } from "../../db/transaction.ts";

export interface InvitationTable {
  id: string;
  organisation_id: string;
  email: string;
  role: Invitation["role"];
  /** SHA-256 of the mailed token. */
  token_hash: Buffer;
  invited_by: string | null;
  created_at: Generated<string>;
  expires_at: string;
  /** The last attempt to mail it failed; more may follow. */
  mail_failed: Generated<boolean>;
}

type InvitationRow = Pick<InvitationTable, "id" | "email" | "role" | "expires_at"> & {
  created_at: string;
  mail_failed: boolean;
};

const columns = ["id", "email", "role", "created_at", "expires_at", "mail_failed"] as const;
const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  email: readableEmail(row.email),
  role: row.role,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  mailFailed: row.mail_failed,
});

const open = sql<boolean>`invitations.expires_at > now()`;

export interface NewInvitation {
  id: string;
  organisationId: string;
  email: string;
  role: Invitation["role"];
  tokenHash: Buffer;
  invitedBy: string;
}

/** A second invitation to the same address replaces the first one, whose link stops working. */
export async function insertInvitation(tx: Tx, invitation: NewInvitation): Promise<Invitation> {
  const values = {
    id: invitation.id,
    role: invitation.role,
    token_hash: invitation.tokenHash,
    invited_by: invitation.invitedBy,
    mail_failed: false,
    created_at: sql<string>`now()`,
    expires_at: sql<string>`now() + interval '7 days'`,
  };
  const row = await tx
    .insertInto("invitations")
    .values({ ...values, organisation_id: invitation.organisationId, email: invitation.email })
    .onConflict((conflict) => conflict.columns(["organisation_id", "email"]).doUpdateSet(values))
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toInvitation(row);
}

export async function selectInvitations(tx: Tx, organisationId: string): Promise<Invitation[]> {
  const rows = await tx
    .selectFrom("invitations")
    .select(columns)
    .where("organisation_id", "=", organisationId)
    .where(open)
    .orderBy("created_at", "desc")
    .execute();
  return rows.map(toInvitation);
}

/** False if there is none. */
export async function deleteInvitation(tx: Tx, key: { id: string; organisationId: string }): Promise<boolean> {
  const deleted = await tx
    .deleteFrom("invitations")
    .where("id", "=", key.id)
    .where("organisation_id", "=", key.organisationId)
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** The role that it gives. Undefined if there is no open one. */
export async function setTokenHash(
  tx: Tx,
  { id, organisationId, tokenHash }: { id: string; organisationId?: string; tokenHash: Buffer },
): Promise<Invitation["role"] | undefined> {
  const updated = await tx
    .updateTable("invitations")
    .set({ token_hash: tokenHash })
    .where("id", "=", id)
    .$if(organisationId !== undefined, (query) => query.where("organisation_id", "=", organisationId ?? ""))
    .where(open)
    .returning("role")
    .executeTakeFirst();
  return updated?.role;
}

export async function deleteInvitations(tx: Tx, organisationId: string): Promise<void> {
  await tx.deleteFrom("invitations").where("organisation_id", "=", organisationId).execute();
}

/** Uses up the link. Undefined if it is unknown, used, withdrawn or expired. */
export async function takeInvitation(
  tx: Tx,
  tokenHash: Buffer,
): Promise<{ organisationId: string; role: Invitation["role"] } | undefined> {
  const taken = await tx
    .deleteFrom("invitations")
    .where("token_hash", "=", tokenHash)
    .where(open)
    .returning(["organisation_id", "role"])
    .executeTakeFirst();
  return taken && { organisationId: taken.organisation_id, role: taken.role };
}

/** As shown to its recipient: who invites them, and where. */
export async function findInvitation(
  tx: Tx,
  by: { tokenHash: Buffer } | { id: string },
): Promise<ReadInvitation | undefined> {
  const row = await tx
    .selectFrom("invitations")
    .innerJoin("organisations", "organisations.id", "invitations.organisation_id")
    .leftJoin("users", "users.id", "invitations.invited_by")
    .select(["invitations.email", "invitations.role", "organisations.name", "users.first_name", "users.last_name"])
    .where((where) =>
      "id" in by ? where("invitations.id", "=", by.id) : where("invitations.token_hash", "=", by.tokenHash),
    )
    .where(open)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    organisationName: row.name,
    email: readableEmail(row.email),
    role: row.role,
    invitedBy: row.first_name === null ? null : `${row.first_name} ${row.last_name ?? ""}`.trim(),
  };
}

/** With a link, only the invitation mailed to that address with it. Otherwise any. */
export async function hasOpenInvitation(tx: Tx, by: { email: string; tokenHash?: Buffer }): Promise<boolean> {
  const row = await tx
    .selectFrom("invitations")
    .select("id")
    .where("email", "=", by.email)
    .$if(by.tokenHash !== undefined, (query) => query.where("token_hash", "=", by.tokenHash ?? Buffer.alloc(0)))
    .where(open)
    .executeTakeFirst();
  return row !== undefined;
}

export async function noteMail(tx: Tx, { id, failed }: { id: string; failed: boolean }): Promise<void> {
  await tx
    .updateTable("invitations")
    .set({ mail_failed: failed })
    .where("id", "=", id)
    .where("mail_failed", "!=", failed)
    .execute();
}

export async function deletePastInvitations(tx: Tx): Promise<void> {
  await sql`delete from invitations where expires_at < now() - interval '1 day'`.execute(tx);
}
