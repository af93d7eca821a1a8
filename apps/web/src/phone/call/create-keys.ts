import { isLive } from "@leadline/contract/call-state";
import * as requests from "../../data/call-requests.ts";
import type { PhoneStore } from "./phone-store.ts";
import { messageFor } from "./start-failure.ts";
import { isConference } from "./two-calls.ts";

/** The DTMF digits that the far end receives. */
export function createKeys({ state, set }: PhoneStore) {
  let lastKey: Promise<unknown> = Promise.resolve();

  /** Sent immediately, one after the other; in a conference, to everyone. */
  function pressKey(key: string): void {
    const { call, other, keysSent } = state();
    if (!call || !isLive(call.status)) return;
    const receivers = other && isConference(state()) ? [call, other] : [call];
    set({ keysSent: (keysSent + key).slice(-40) });
    lastKey = lastKey
      .then(() => Promise.all(receivers.map(({ callSid }) => requests.sendDigits(callSid, key))))
      .catch((error: unknown) => set({ trouble: `${key} wasn’t sent. ${messageFor(error)}` }));
  }

  return {
    pressKey,
    setExtension: (extension: string): void => set({ extension }),
    /** Sends the callee's extension, once a menu asks for it. */
    sendExtension(): void {
      for (const digit of state().extension) pressKey(digit);
      set({ extension: "" });
    },
  };
}
