import type { Kysely } from "kysely";
import { createCalls } from "./first-schema/calls.ts";
import { createCarriers } from "./first-schema/carriers.ts";
import { createIntegrations } from "./first-schema/integrations.ts";
import { createLeads } from "./first-schema/leads.ts";
import { createPeople } from "./first-schema/people.ts";
import { createProcesses } from "./first-schema/processes.ts";
import { createSearch } from "./first-schema/search.ts";

/** Everything, as version 0.1.0 has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPeople(db);
  await createLeads(db);
  await createCalls(db);
  await createCarriers(db);
  await createIntegrations(db);
  await createProcesses(db);
  await createSearch(db);
}
