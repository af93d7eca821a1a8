import { type Kysely, sql } from "kysely";
import { forceRowSecurity, ownUser } from "../row-security.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hosted_logins (
      state_hash bytea primary key,
      expires_at timestamptz not null
    )`.execute(db);
  // Nobody is signed in while one is under way: the system scope alone reads and writes them.
  await forceRowSecurity(db, "hosted_logins", "false");
  await sql`
    create table identities (
      issuer text not null,
      subject text not null,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz not null default now(),
      primary key (issuer, subject),
      -- Two people of one provider never share an account.
      unique (user_id, issuer)
    )`.execute(db);
  await forceRowSecurity(db, "identities", ownUser);
}
