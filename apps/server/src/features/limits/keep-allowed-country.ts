import type { Tx } from "../../db/transaction.ts";
import { keepCountry } from "./limits.table.ts";

/** For a change of the default country, which needs no password: it must not widen where calls may go. */
export const keepAllowedCountry = (tx: Tx, organisationId: string, before: string): Promise<void> =>
  keepCountry(tx, organisationId, before);
