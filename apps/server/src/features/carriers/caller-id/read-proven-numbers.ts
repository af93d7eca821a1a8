import type { ProvenNumber, ShownNumber } from "@leadline/adapter-kit/shown-number";
import type { Tx } from "../../../db/transaction.ts";
import { readOwnNumbers } from "../../numbers/read-own-numbers.ts";
import { selectVerified } from "./caller-ids.table.ts";

/** The numbers that a carrier of the organisation's own may show: bought here, or verified at one of its servers. */
export async function readProvenNumbers(tx: Tx, organisationId: string): Promise<ProvenNumber[]> {
  const [verified, own] = await Promise.all([selectVerified(tx, organisationId), readOwnNumbers(tx, organisationId)]);
  return [...verified, ...own.map((number) => ({ number, server: null }))];
}

/** Of a number's servers, those that are not shown it. */
export const unverifiedAt = (shown: ShownNumber, proven: readonly ProvenNumber[]): string[] =>
  shown.servers
    .filter(({ vouchedFor }) => !vouchedFor)
    .map(({ name }) => name)
    .filter(
      (name) => !proven.some(({ number, server }) => number === shown.number && (server === null || server === name)),
    );
