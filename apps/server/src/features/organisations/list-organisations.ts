import type { Organisation } from "@leadline/contract/organisations";
import type { Database } from "../../db/database.ts";
import { selectOrganisationsOf } from "./organisations.table.ts";

/** The person's organisations, oldest first. */
export function listOrganisations(database: Database, userId: string): Promise<Organisation[]> {
  return database.withTransaction({ userId }, (tx) => selectOrganisationsOf(tx, userId));
}
