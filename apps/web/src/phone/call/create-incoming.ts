import { isUnderWay } from "@leadline/contract/call-transfer";
import type { Call } from "@leadline/contract/calls";
import { createListeners } from "../../data/create-listeners.ts";

/** Unassigned: it rings for everyone, or for the teammate who is being called. */
const isForMe = ({ direction, status, userId, ringsFor }: Call, ownId: string | null): boolean =>
  direction === "inbound" && status === "ringing" && userId === null && (ringsFor === null || ringsFor === ownId);

/** A teammate's call that is being transferred to someone. */
export const isBeingSent = ({ status, transfer }: Call): boolean =>
  status === "in-progress" && transfer?.member != null && isUnderWay(transfer);

/** The calls that ring for this user, longest first; one that was declined, here or in another tab, no longer rings. */
export function createIncoming(ownId: () => string | null = () => null) {
  /** Declined, answered or over: a late report or list doesn't bring it back. */
  const gone = new Set<string>();
  const listeners = createListeners();
  let ringing: readonly Call[] = [];
  const isSentHere = (call: Call): boolean =>
    isBeingSent(call) && call.transfer?.member?.userId === ownId() && call.userId !== ownId();
  const isRinging = (call: Call): boolean => isForMe(call, ownId()) || isSentHere(call);
  let otherTabs: BroadcastChannel | null = null;

  function set(next: readonly Call[]): void {
    if (next.length > 0) listenToOtherTabs();
    const changed = next.length !== ringing.length || next.some((call, at) => call !== ringing[at]);
    ringing = next;
    if (changed) listeners.notify();
  }

  function forget(callSid: string): void {
    gone.add(callSid);
    set(ringing.filter((call) => call.callSid !== callSid));
  }

  function listenToOtherTabs(): void {
    if (otherTabs) return;
    otherTabs = new BroadcastChannel("leadline.declined-calls");
    otherTabs.addEventListener("message", ({ data }: MessageEvent<unknown>) => forget(String(data)));
  }

  return {
    subscribe: listeners.subscribe,
    /** The same array until it changes. */
    list: (): readonly Call[] => ringing,
    applyUpdate(call: Call): void {
      if (!isRinging(call)) {
        if (ringing.some(({ callSid }) => callSid === call.callSid) || call.direction === "inbound")
          forget(call.callSid);
        // A failed transfer may be repeated.
        if (call.transfer?.member != null) gone.delete(call.callSid);
        return;
      }
      if (gone.has(call.callSid)) return;
      if (!ringing.some(({ callSid }) => callSid === call.callSid)) set([...ringing, call]);
    },
    /**
     * Call it before asking the server for all live calls; the returned function takes the response, which doesn't know
     * of calls that have rung since.
     */
    reading(): (calls: readonly Call[]) => void {
      const before = ringing;
      return (calls) => {
        const listed = calls.filter((call) => isRinging(call) && !gone.has(call.callSid)).toReversed();
        const isListed = ({ callSid }: Call): boolean => listed.some((call) => call.callSid === callSid);
        set([...listed, ...ringing.filter((call) => !before.includes(call) && !isListed(call))]);
      };
    },
    decline(callSid: string): void {
      forget(callSid);
      otherTabs?.postMessage(callSid);
    },
  };
}
