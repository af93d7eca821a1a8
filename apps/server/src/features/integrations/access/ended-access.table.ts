import { sql } from "kysely";
import type { Tx } from "../../../db/transaction.ts";

export interface EndedAccess {
  integrationId: string;
  userId: string;
}

/** The owners of integrations whose access has ended since the last call. The caller must mail them. */
export async function takeEndedAccess(tx: Tx): Promise<EndedAccess[]> {
  const { rows } = await sql<EndedAccess>`
    with ended as (
      update integrations set problem_mailed_at = clock_timestamp()
      where problem is not null and problem_mailed_at is null
      returning id, organisation_id
    )
    select ended.id as "integrationId", memberships.user_id as "userId"
    from ended join memberships on memberships.organisation_id = ended.organisation_id
    where memberships.role = 'owner'`.execute(tx);
  return rows;
}

interface EndedAccessMail {
  email: string;
  firstName: string;
  label: string;
  service: string;
  organisationName: string;
}

/** Null if it is connected again, or the person no longer owns the organisation. */
export async function findEndedAccess(tx: Tx, { integrationId, userId }: EndedAccess): Promise<EndedAccessMail | null> {
  const row = await tx
    .selectFrom("integrations")
    .innerJoin("organisations", "organisations.id", "integrations.organisation_id")
    .innerJoin("memberships", "memberships.organisation_id", "integrations.organisation_id")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select([
      "users.email",
      "users.first_name as firstName",
      "integrations.label",
      "integrations.service",
      "organisations.name as organisationName",
    ])
    .where("integrations.id", "=", integrationId)
    .where("integrations.problem", "is not", null)
    .where("memberships.user_id", "=", userId)
    .where("memberships.role", "=", "owner")
    .executeTakeFirst();
  return row ?? null;
}
