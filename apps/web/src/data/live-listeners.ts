import type { LiveEventData, LiveEventType } from "@leadline/contract/live-events";
import { createListeners } from "./create-listeners.ts";

/** lost: it was open, or failed to open, and is being reopened. */
export type LiveConnectionState = "connecting" | "open" | "lost" | "closed";

type Listeners = { [T in LiveEventType]: ReturnType<typeof createListeners<[data: LiveEventData<T>]>> };

/** The listeners for live events and for the state of their connection. */
export function createLiveListeners() {
  const listeners: Listeners = {
    "call.updated": createListeners(),
    "organisation.updated": createListeners(),
    "phone-numbers.changed": createListeners(),
    "billing.changed": createListeners(),
    "integration.updated": createListeners(),
    "sync.updated": createListeners(),
    "lead.written": createListeners(),
    "follow-ups.due": createListeners(),
    reset: createListeners(),
  };
  const stateListeners = createListeners();
  let state: LiveConnectionState = "closed";
  return {
    isLiveEventType: (type: string): type is LiveEventType => Object.hasOwn(listeners, type),
    deliver<T extends LiveEventType>(type: T, data: LiveEventData<T>): void {
      listeners[type].notify(data);
    },
    subscribe: <T extends LiveEventType>(type: T, listener: (data: LiveEventData<T>) => void): (() => void) =>
      listeners[type].subscribe(listener),
    state: (): LiveConnectionState => state,
    setState(next: LiveConnectionState): void {
      if (next === state) return;
      state = next;
      stateListeners.notify();
    },
    onStateChange: stateListeners.subscribe,
  };
}
