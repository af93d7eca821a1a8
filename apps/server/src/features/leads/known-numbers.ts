import type { Tx } from "../../db/transaction.ts";
import { selectKnownNumbers } from "./insert-leads.table.ts";

/** Of these numbers (E.164), those that a lead of the organisation has. */
export const knownNumbers = (tx: Tx, organisationId: string, numbers: readonly string[]): Promise<Set<string>> =>
  selectKnownNumbers(tx, organisationId, numbers);
