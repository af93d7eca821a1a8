import { isLive } from "@leadline/contract/call-state";
import type { TransferRefusal } from "@leadline/contract/call-transfer";
import type { Member } from "../../../http/route.ts";
import type { CallDeps } from "../call-deps.ts";
import type { LiveCall, LiveTransfer } from "../live-calls.ts";
import { followTransfer } from "./follow-transfer.ts";

/** Finds the call that a teammate is sending to this person. */
export function findSentCall(deps: CallDeps, { caller, callSid }: { caller: Member; callSid: string }) {
  const live = deps.liveCalls.find(callSid);
  const transfer = live?.transfer;
  const isTheirs = transfer?.memberId === caller.userId && live?.organisationId === caller.organisation.id;
  return live && transfer && isTheirs && transfer.underWay && isLive(live.status) ? { live, transfer } : null;
}

/** Also called again if they answered with a lost audio connection: their browser retries with a new one. */
export function awaitAnswer(deps: CallDeps, live: LiveCall, transfer: LiveTransfer): void {
  clearTimeout(transfer.ringTimer);
  transfer.ringTimer = setTimeout(() => giveBack(deps, { live, transfer }, "no-answer"), deps.ringForMs);
}

/** Returns the far end to the sender. A transfer that is over doesn't affect a newer one of the same call. */
export function giveBack(
  deps: CallDeps,
  { live, transfer }: { live: LiveCall; transfer: LiveTransfer },
  reason: TransferRefusal,
): void {
  if (!transfer.underWay || transfer.accepting || !isLive(live.status)) return;
  clearTimeout(transfer.ringTimer);
  void followTransfer(deps, live, { transfer, event: { type: "refused", why: { reason, sip: null } } });
}
