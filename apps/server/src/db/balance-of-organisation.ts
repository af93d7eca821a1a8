import { sql } from "kysely";

/** For a row of organisations, in millionths of a US dollar. */
export const balanceOfOrganisation = sql<number>`(
  select balance from ledger_accounts
  where ledger_accounts.organisation_id = organisations.id and account = 'balance')`;
