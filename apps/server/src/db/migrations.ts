import type { Migration } from "kysely/migration";
import * as firstSchema from "./migrations/0001-first-schema.ts";

/** In order. What has been released is never changed again: what comes after it is a migration of its own. */
export const migrations: Record<string, Migration> = {
  "0001-first-schema": firstSchema,
};
