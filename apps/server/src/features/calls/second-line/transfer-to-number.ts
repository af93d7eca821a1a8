import { type HangUpCause, isLive } from "@leadline/contract/call-state";
import { TransferRefusal } from "@leadline/contract/call-transfer";
import type { Call } from "@leadline/contract/calls";
import type { CallDeps } from "../call-deps.ts";
import { changeLiveCall } from "../in-call/change-live-call.ts";
import { findOwnLiveCall } from "../in-call/find-own-live-call.ts";
import type { CallFollower, LiveCall, LiveTransfer } from "../live-calls.ts";
import { readCall } from "../log/get-call.ts";
import { findCarrier } from "../outbound/find-carrier.ts";
import { readDialledNumber } from "../outbound/read-dialled-number.ts";
import { retryWrite } from "../retry-write.ts";
import { moveLastTransfer } from "../call-transfers.table.ts";
import { findConnectionOfCall } from "../running-calls.table.ts";
import { leaveFarEnds } from "./complete-transfer.ts";
import { consultInCall } from "./consult-in-call.ts";
import { countsTransfers } from "./counts-transfers.ts";
import { followTransfer } from "../in-call/follow-transfer.ts";
import { refuseUnlessAlone, transferCall, type TransferCall } from "./transfer-call.ts";

/**
 * Transfers the far end to a number. The carrier does that, unless Leadline has to, so that the new call is counted, or is
 * paid for and ends with the money.
 */
export async function transferToNumber(deps: CallDeps, asked: TransferCall): Promise<Call> {
  const live = await findOwnLiveCall(deps, asked);
  return (await isCarriedOutHere(deps, live, asked.phoneNumber))
    ? transferByBridge(deps, live, asked)
    : transferCall(deps, asked);
}

/** If its cost counts at the carrier of the call, which could send it on, or at the one that a new call would use. */
async function isCarriedOutHere(deps: CallDeps, live: LiveCall, typed: string): Promise<boolean> {
  const { organisationId, callSid } = live;
  refuseUnlessAlone(deps, live);
  const [phoneNumber, next, ofCall] = await Promise.all([
    readDialledNumber(deps.database, organisationId, typed),
    findCarrier(deps, organisationId),
    deps.database.withTransaction({ organisationId }, (tx) => findConnectionOfCall(tx, callSid)),
  ]);
  const carriers = [
    { carrier: next.id, connection: next.connection },
    ...(ofCall === null || ofCall.id === next.connection?.id ? [] : [{ carrier: live.carrierId, connection: ofCall }]),
  ];
  for (const { carrier, connection } of carriers) {
    const rated = { organisationId, phoneNumber, carrier, connection };
    await deps.rates.refresh(rated);
    const counts = await deps.database.withTransaction({ organisationId }, async (tx) => {
      const { rate } = await deps.rates.find(tx, rated);
      return countsTransfers(tx, { organisationId, connection, rate });
    });
    if (counts) return true;
  }
  return false;
}

/** Calls the number on the person's second line, and leaves the two far ends to each other once it is answered. */
async function transferByBridge(
  deps: CallDeps,
  first: LiveCall,
  { caller, callSid, ...body }: TransferCall,
): Promise<Call> {
  refuseUnlessAlone(deps, first);
  const transfer: LiveTransfer = { holds: false, underWay: true, sentToCarrier: false, memberId: null };
  const follow = (event: Parameters<typeof followTransfer>[2]["event"]): void => {
    // If the first call ends, so does its transfer.
    if (transfer.underWay && isLive(first.status)) void followTransfer(deps, first, { transfer, event });
  };
  const follower: CallFollower = {
    ringing: () => follow({ type: "ringing" }),
    answered: () => void connect(deps, { caller, first, transfer }),
    ended: (cause) => follow({ type: "refused", why: { reason: refusalOf(cause), sip: cause.sip } }),
  };
  try {
    await consultInCall(deps, { caller, callSid, body, carriesOut: { transfer, follower } });
  } catch (error) {
    transfer.underWay = false;
    throw error;
  }
  return readCall(deps, { caller, callSid });
}

interface Answered extends Pick<TransferCall, "caller"> {
  first: LiveCall;
  transfer: LiveTransfer;
}

async function connect(deps: CallDeps, { caller, first, transfer }: Answered): Promise<void> {
  if (!transfer.underWay) return;
  transfer.underWay = false;
  const { callSid } = first;
  try {
    const taken = { status: "taken" } as const;
    const { written } = await leaveFarEnds(deps, { caller, callSid }, (tx) => moveLastTransfer(tx, callSid, taken));
    await written;
  } catch (error) {
    // The person is talking on the second line now, and can try again.
    deps.log.warn({ err: error, callSid }, "the far ends of a transfer could not be connected");
    const failed = { status: "refused", refusal: "network-failure", sip: null } as const;
    await first.inOrder(() => retryWrite(deps.log, callSid, () => changeLiveCall(deps, first, { transfer: failed })));
  }
}

/** Why the second call ended before it was answered. */
function refusalOf({ reason }: HangUpCause): TransferRefusal {
  if (reason === "canceled" || reason === "hung-up-here") return "taken-back";
  if (reason === "hung-up-there") return "rejected";
  const same = TransferRefusal.safeParse(reason);
  return same.success ? same.data : "network-failure";
}
