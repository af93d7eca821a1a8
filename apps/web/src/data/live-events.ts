import type { LiveEventData, LiveEventType } from "@leadline/contract/live-events";
import { useEffect, useSyncExternalStore } from "react";
import { askWhereThePersonIs, leaveSignedOut, refreshAccess } from "./api-client.ts";
import { createLiveEvents } from "./create-live-events.ts";
import type { LiveConnectionState } from "./live-listeners.ts";
import { queryClient, refetchUnanswered } from "./query-client.ts";
import { session } from "./session.ts";

const liveEvents = createLiveEvents({
  url: "/api/v1/events",
  accessToken: session.accessToken,
  refreshAccess,
  onSignedOut: leaveSignedOut,
  onMissed: () => void queryClient.invalidateQueries(),
  onOtherOrganisation: askWhereThePersonIs,
  userId: session.userId,
  // Locks are missing on plain-http origins, whatever the type says.
  sharing:
    "locks" in navigator && "BroadcastChannel" in globalThis
      ? { locks: navigator.locks, openChannel: (name) => new BroadcastChannel(name) }
      : null,
});

liveEvents.onStateChange(() => {
  if (liveEvents.state() === "open") void refetchUnanswered();
});

/** Works whether the stream is up or not; returns an unsubscribe function. */
export const subscribeLiveEvent = <T extends LiveEventType>(
  type: T,
  listener: (data: LiveEventData<T>) => void,
): (() => void) => liveEvents.subscribe(type, listener);

export const isLiveStreamLost = (): boolean => liveEvents.state() === "lost";

export const useLiveConnectionState = (): LiveConnectionState =>
  useSyncExternalStore(liveEvents.onStateChange, liveEvents.state);

/** Follows the stream while mounted, reconnecting for each organisation; without one there are no events. */
export function useLiveEvents(organisationId: string | null): void {
  useEffect(() => {
    if (organisationId === null) return;
    liveEvents.follow(organisationId);
    window.addEventListener("online", liveEvents.wake);
    return () => {
      window.removeEventListener("online", liveEvents.wake);
      liveEvents.stop();
    };
  }, [organisationId]);
}
