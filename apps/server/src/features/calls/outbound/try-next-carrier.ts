import type { CarrierHangUpCause } from "@leadline/adapter-kit/carrier";
import type { CarrierRefusal } from "@leadline/adapter-kit/carrier-refusal";
import { isLive } from "@leadline/contract/call-state";
import { Problem } from "../../../http/problem.ts";
import type { CarrierInUse } from "../../carriers/own-carriers.ts";
import { holdForNewCall } from "../../ledger/hold-for-call.ts";
import { pickCallerId } from "../../caller-ids/pick-caller-id.ts";
import { reportBreaches } from "../../limits/breaches/report-breaches.ts";
import { refuseOverLimits } from "../../limits/refuse-over-limits.ts";
import type { CallDeps } from "../call-deps.ts";
import type { LiveCall } from "../live-calls.ts";
import { isCarrierFault } from "./is-carrier-fault.ts";
import { lacksNumber } from "./lacks-number.ts";
import { moveToCarrier } from "./new-calls.table.ts";

interface Failed {
  to: string;
  /** The caller ID the person wanted. Kept if the next carrier can show it. */
  wantedCallerId: string | null;
  callerId: string | null;
  via: CarrierInUse;
  /** The carriers tried before. */
  tried: readonly string[];
  /** How often the call was placed again through the same carrier. */
  retries: number;
  isTest: boolean;
  cause: CarrierHangUpCause;
  refusal: CarrierRefusal | null;
}

export interface NextCarrier {
  via: CarrierInUse;
  callerId: string | null;
  lacksNumber: boolean;
  tried: readonly string[];
  retries: number;
}

/** A carrier that still refuses then has a lower limit than we know. */
const maxRetries = 3;

/**
 * Picks the next carrier for a call that failed by its carrier's fault and never rang; if there is none, and the carrier
 * only takes no more calls at this moment, the same one. Null if the call ends. Stores the vendor's explanation.
 */
export async function tryNextCarrier(deps: CallDeps, live: LiveCall, failed: Failed): Promise<NextCarrier | null> {
  const { to, wantedCallerId: chosen, via, isTest, cause, refusal } = failed;
  const { organisationId, callSid, userId } = live;
  if (via.connection === null || !isLive(live.status)) return null;
  const { id: carrierId, label } = via.connection;
  const explained = refusal && (await deps.explainRefusal({ organisationId, carrierId }, refusal));
  if (explained) live.refusal = `${label}: ${explained.sentence}`;
  if (isTest || !isCarrierFault(cause, explained)) return null;
  const tried = [...failed.tried, carrierId];
  const next = await deps.carriers.nextOfOrganisation(organisationId, tried);
  if (!isLive(live.status)) return null;
  if (next?.id !== via.id || next.connection === null) {
    if (!explained?.tooFast || failed.retries >= maxRetries) return null;
    deps.log.info({ callSid, carrierId }, "a call waits because its carrier takes no more at this moment");
    live.leg = null;
    live.refusal = null;
    const { callerId, tried: triedBefore, retries } = failed;
    return { via, callerId, lacksNumber: false, tried: triedBefore, retries: retries + 1 };
  }
  const { connection } = next;
  deps.log.warn({ callSid, from: carrierId, to: connection.id, cause }, "a call goes to the next carrier");
  live.leg = null;
  const rated = { organisationId, phoneNumber: to, carrier: next.id, connection };
  await deps.rates.refresh(rated);
  try {
    const move = () =>
      deps.database.withTransaction({ organisationId }, async (tx) => {
        const { rate, isSandbox } = await deps.rates.find(tx, rated);
        const { number } = await pickCallerId(tx, { organisationId, userId, to, via: next, chosen });
        const moved = { connection, rate, shownNumber: number, refusal: live.refusal };
        await moveToCarrier(tx, { callSid, organisationId, ...moved });
        await refuseOverLimits(tx, { organisationId, userId, phoneNumber: to, rate, isSandbox });
        // Last: it locks the balance.
        await holdForNewCall(tx, { organisationId, callSid, rate });
        const shown = { organisationId, via: next, callerId: number };
        return { callerId: number, lacksNumber: await lacksNumber(deps, tx, shown) };
      });
    const shown = await reportBreaches(deps, { organisationId, userId }, move);
    return { via: next, ...shown, tried, retries: 0 };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    live.refusal = `${connection.label}: ${error.message}`;
    return null;
  }
}
