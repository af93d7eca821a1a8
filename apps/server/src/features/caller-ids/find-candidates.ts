import type { ShownNumber } from "@leadline/adapter-kit/shown-number";
import type { Tx } from "../../db/transaction.ts";
import { readVerifiedNumbers, unverifiedAt } from "../carriers/caller-id/read-verified-numbers.ts";
import type { CarrierInUse } from "../carriers/own-carriers.ts";
import { readNumbersAt } from "../numbers/read-numbers-at.ts";
import type { CallerIdCandidate } from "./choose-caller-id.ts";

/**
 * The numbers that calls through this carrier can show: those bought there, or those of its settings and the verified ones, if all of
 * its servers are shown them.
 */
export async function findCandidates(
  tx: Tx,
  { organisationId, via }: { organisationId: string; via: CarrierInUse },
): Promise<CallerIdCandidate[]> {
  const shown = via.connection === null ? null : (via.carrier.shownNumber?.() ?? null);
  const [bought, ofSettings] = await Promise.all([
    readNumbersAt(tx, { organisationId, carrier: via.id, connectionId: via.connection?.id ?? null }),
    shown === null ? [] : readShowable(tx, { organisationId, connectionId: via.connection?.id ?? null }, shown),
  ]);
  const candidates = bought.map(({ number, label, isCallerId }) => ({ number, label, isDefault: isCallerId }));
  const further = ofSettings.filter((number) => !bought.some((each) => each.number === number));
  const hasDefault = candidates.some(({ isDefault }) => isDefault);
  return [
    ...candidates,
    ...further.map((number) => ({ number, label: null, isDefault: !hasDefault && number === shown?.number })),
  ];
}

async function readShowable(
  tx: Tx,
  through: { organisationId: string; connectionId: string | null },
  shown: ShownNumber,
): Promise<string[]> {
  const { number: first, others, servers } = shown;
  const verifiedNumbers = await readVerifiedNumbers(tx, through);
  const verified = verifiedNumbers.filter(({ server }) => servers.some(({ name }) => name === server));
  const numbers = new Set([...(first === null ? [] : [first]), ...others, ...verified.map(({ number }) => number)]);
  return [...numbers].filter((number) => unverifiedAt({ number, servers }, verifiedNumbers).length === 0);
}
