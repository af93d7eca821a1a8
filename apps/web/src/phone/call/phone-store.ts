import type { Call } from "@leadline/contract/calls";
import { type CallPhaseEvent, nextPhase } from "./call-phase.ts";
import { createHoldableListeners } from "./holdable-listeners.ts";
import { idlePhone, type PhoneState } from "./phone-state.ts";

/** The state of the phone on this page. Its parts read it again after each await, as events may have changed it. */
export function createPhoneStore() {
  let state = idlePhone;
  const { subscribe, notify, holdBack } = createHoldableListeners();

  function set(news: Partial<PhoneState>): void {
    state = { ...state, ...news };
    notify();
  }

  return {
    state: (): PhoneState => state,
    set,
    move: (event: CallPhaseEvent): void => set({ phase: nextPhase(state.phase, event) }),
    isOwn: (call: Call): boolean => call.userId === state.userId,
    subscribe,
    holdBack,
  };
}
export type PhoneStore = ReturnType<typeof createPhoneStore>;
