import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { withMargin } from "@leadline/contract/cost-of-call";
import type { NumberRate } from "@leadline/contract/rates";
import type { Tx } from "../../db/transaction.ts";
import type { RateDeps } from "./rate-deps.ts";
import { findRateInForce } from "./rates.table.ts";

export interface RatedCall {
  organisationId: string;
  phoneNumber: string;
  /** The carrier's kind. */
  carrier: string;
  /** The organisation's own; null for the installation's. */
  connection: { id: string } | null;
}

/** The rate of a call that begins now. */
export async function findRate(
  tx: Tx,
  { modules, isSandbox: askWhetherSandbox }: Pick<RateDeps, "modules" | "isSandbox">,
  { organisationId, phoneNumber, carrier, connection }: RatedCall,
): Promise<NumberRate> {
  if (connection === null) return ofInstallation(modules, { phoneNumber, carrier });
  const key = { organisationId, carrierId: connection.id };
  const [found, isSandbox] = await Promise.all([
    findRateInForce(tx, { ...key, phoneNumber }),
    askWhetherSandbox(tx, key),
  ]);
  if (found === null) return { rate: null, description: "", isSandbox };
  const { description, marginPercent, perMinuteMicros, connectionFeeMicros, firstSeconds, nextSeconds } = found;
  const rate = { perMinuteMicros, connectionFeeMicros, firstSeconds, nextSeconds };
  return { rate: withMargin(rate, marginPercent), description, isSandbox };
}

function ofInstallation(modules: readonly CarrierModule[], call: { phoneNumber: string; carrier: string }): NumberRate {
  const digits = call.phoneNumber.replace(/^\+/, "");
  const [longest] = (modules.find(({ id }) => id === call.carrier)?.madeUpRates ?? [])
    .filter(({ prefix }) => digits.startsWith(prefix))
    .toSorted((one, other) => other.prefix.length - one.prefix.length);
  if (longest === undefined) return { rate: null, description: "", isSandbox: true };
  const { prefix: _, description, ...rate } = longest;
  return { rate, description, isSandbox: true };
}
