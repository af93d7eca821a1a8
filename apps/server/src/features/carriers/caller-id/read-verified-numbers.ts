import type { VerifiedNumber, ShownNumber } from "@leadline/adapter-kit/shown-number";
import type { Tx } from "../../../db/transaction.ts";
import { readShowableNumbers } from "../../numbers/read-own-numbers.ts";
import { selectVerified } from "./caller-ids.table.ts";

/** The numbers that an organisation's own carrier may show: bought here, or verified at one of its servers. */
export async function readVerifiedNumbers(
  tx: Tx,
  through: { organisationId: string; connectionId: string | null },
): Promise<VerifiedNumber[]> {
  const [verified, own] = await Promise.all([
    selectVerified(tx, through.organisationId),
    readShowableNumbers(tx, through),
  ]);
  return [...verified, ...own.map((number) => ({ number, server: null }))];
}

/** The carrier's servers where the number isn't verified. */
export const unverifiedAt = (
  { number: shown, servers }: { number: string } & Pick<ShownNumber, "servers">,
  verifiedNumbers: readonly VerifiedNumber[],
): string[] =>
  servers
    .filter(({ vouchedFor }) => !vouchedFor)
    .map(({ name }) => name)
    .filter(
      (name) => !verifiedNumbers.some(({ number, server }) => number === shown && (server === null || server === name)),
    );
