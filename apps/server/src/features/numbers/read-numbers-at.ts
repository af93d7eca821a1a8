import type { Tx } from "../../db/transaction.ts";
import { selectNumbersAt } from "./caller-ids-of-numbers.table.ts";

/** The organisation's numbers at one carrier, oldest first; `connectionId` is null for the installation's. */
export const readNumbersAt = (
  tx: Tx,
  which: { organisationId: string; carrier: string; connectionId: string | null },
): Promise<{ number: string; label: string | null; isCallerId: boolean }[]> => selectNumbersAt(tx, which);
