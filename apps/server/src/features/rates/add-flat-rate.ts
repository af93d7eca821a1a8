import type { Tx } from "../../db/transaction.ts";
import type { Member } from "../../http/route.ts";
import { alertOfFirst, firstTakesPassword, refusesUnpriced } from "./change-rates.ts";
import type { RateDeps } from "./rate-deps.ts";
import { putRates } from "./rates.table.ts";

interface NewCarrier {
  carrierId: string;
  label: string;
  perMinuteMicros: number;
  /** By the password, without which this throws where calls without a rate are refused. */
  confirmed: boolean;
}

/** One price per started minute for all numbers and dates. */
export async function addFlatRate(
  deps: Pick<RateDeps, "alertOwners">,
  tx: Tx,
  caller: Member,
  { carrierId, label, perMinuteMicros, confirmed }: NewCarrier,
): Promise<void> {
  const organisationId = caller.organisation.id;
  const allows = await refusesUnpriced(tx, organisationId);
  if (allows && !confirmed) throw firstTakesPassword();
  const rate = { prefix: "", description: "", effectiveFrom: "2000-01-01", firstSeconds: 60, nextSeconds: 60 };
  const priced = { ...rate, perMinuteMicros, connectionFeeMicros: 0 };
  await putRates(tx, { organisationId, carrierId }, [priced], { fromCarrier: false });
  if (allows) await alertOfFirst(deps, tx, caller, label);
}
