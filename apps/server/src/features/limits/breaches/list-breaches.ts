import type { LimitBreach } from "@leadline/contract/limits";
import type { Database } from "../../../db/database.ts";
import type { Member } from "../../../http/route.ts";
import { scopeOf } from "../../../http/scope-of.ts";
import { selectBreaches } from "./breaches.table.ts";

export const listBreaches = (database: Database, caller: Member): Promise<LimitBreach[]> =>
  database.withTransaction(scopeOf(caller), (tx) => selectBreaches(tx, caller.organisation.id));
