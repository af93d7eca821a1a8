import type { LiveEventData, LiveEventType } from "@leadline/contract/live-events";

/** lost: it was open, or would not open, and is being opened again. */
export type LiveConnectionState = "connecting" | "open" | "lost" | "closed";

type Listener<T extends LiveEventType> = (data: LiveEventData<T>) => void;
type Listeners = { [T in LiveEventType]: Set<Listener<T>> };

/** Who is told of which live event, and of the connection that brings them. */
export function createLiveListeners() {
  const listeners: Listeners = {
    "call.updated": new Set(),
    "organisation.updated": new Set(),
    "phone-numbers.changed": new Set(),
    "integration.updated": new Set(),
    "sync.updated": new Set(),
    reset: new Set(),
  };
  const stateListeners = new Set<() => void>();
  let state: LiveConnectionState = "closed";
  return {
    isLiveEventType: (type: string): type is LiveEventType => Object.hasOwn(listeners, type),
    deliver<T extends LiveEventType>(type: T, data: LiveEventData<T>): void {
      for (const listener of listeners[type]) listener(data);
    },
    subscribe<T extends LiveEventType>(type: T, listener: Listener<T>): () => void {
      listeners[type].add(listener);
      return () => {
        listeners[type].delete(listener);
      };
    },
    state: (): LiveConnectionState => state,
    setState(next: LiveConnectionState): void {
      if (next === state) return;
      state = next;
      for (const listener of stateListeners) listener();
    },
    onStateChange(listener: () => void): () => void {
      stateListeners.add(listener);
      return () => {
        stateListeners.delete(listener);
      };
    },
  };
}
