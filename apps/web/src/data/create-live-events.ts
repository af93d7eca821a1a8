import { followPosition } from "./follow-position.ts";
import { createLiveListeners, type LiveConnectionState } from "./live-listeners.ts";
import { type EventStream, type EventStreamOptions, openEventStream, type StreamEvent } from "./open-event-stream.ts";
import type { RefreshOutcome } from "./refresh-access.ts";
import { joinTabs, type TabGroup, type TabSharing } from "./share-among-tabs.ts";

interface LiveEventsOptions extends EventStreamOptions {
  /** The stream has ended for good: the user has no session, or it has ended. */
  onSignedOut: (outcome: Exclude<RefreshOutcome, "refreshed">) => void;
  /** Events were missed: anything read before may be stale. */
  onMissed: () => void;
  /** The organisation is no longer the user's, or no longer active. */
  onOtherOrganisation: () => void;
  /** The user whose tabs share the stream; null while no one is logged in. */
  userId: () => string | null;
  /** Null if the browser lacks what tabs need to share: then each has its own stream. */
  sharing: TabSharing | null;
}

/** What the tab with the stream sends to the others. */
type TabMessage =
  /** after: the event before it, so that a tab notices missed ones. */
  | { is: "event"; event: StreamEvent; after: string }
  | { is: "status"; state: "connecting" | "open" | "lost"; lastEventId: string }
  | { is: "missed" }
  | { is: "other-organisation" };

/**
 * One stream with retry and resume for all of a user's tabs in an organisation, and any number of listeners: with
 * HTTP/1.1 a browser has six connections to a server, and each stream occupies one.
 */
export function createLiveEvents(options: LiveEventsOptions) {
  const { deliver, subscribe, isLiveEventType, ...connection } = createLiveListeners();
  const position = followPosition(missed);
  let stream: EventStream | null = null;
  let tabs: TabGroup<TabMessage> | null = null;
  let followed: string | null | undefined;

  function setState(next: LiveConnectionState): void {
    if (next === "open") position.noteOpen();
    connection.setState(next);
  }

  function missed(): void {
    options.onMissed();
    deliver("reset", {});
  }

  function take({ id, type, data }: StreamEvent): void {
    // A tab that has just taken over may repeat what the previous one delivered.
    if (type !== "reset" && position.isPast(id)) return;
    position.set(id || position.get());
    if (!isLiveEventType(type)) return;
    if (type === "reset") missed();
    else deliver(type, JSON.parse(data));
  }

  const publishStatus = (): void => {
    const state = connection.state();
    if (state !== "closed") tabs?.send({ is: "status", state, lastEventId: position.get() });
  };

  function openStream(organisationId: string | null): () => void {
    const opened = openEventStream(options, {
      organisationId,
      lastEventId: position.get,
      onEvent(event) {
        tabs?.send({ is: "event", event, after: position.get() });
        take(event);
      },
      onPosition(id) {
        position.set(id);
        publishStatus();
      },
      onState(next) {
        if (next === "open" && position.isUnknown()) {
          missed();
          tabs?.send({ is: "missed" });
        }
        setState(next);
        publishStatus();
      },
      onAlive: publishStatus,
      onSignedOut(outcome) {
        options.onSignedOut(outcome);
        stop();
      },
      onOtherOrganisation() {
        tabs?.send({ is: "other-organisation" });
        options.onOtherOrganisation();
      },
    });
    stream = opened;
    return () => {
      opened.close();
      if (stream === opened) stream = null;
    };
  }

  function receive(message: TabMessage): "steady" | "shaky" {
    if (message.is === "missed") missed();
    else if (message.is === "other-organisation") options.onOtherOrganisation();
    else if (message.is === "status") {
      position.catchUpWith(message.lastEventId);
      setState(message.state);
      if (message.state === "lost") return "shaky";
    } else {
      position.catchUpWith(message.after);
      take(message.event);
    }
    return "steady";
  }

  function stop(): void {
    tabs?.leave();
    tabs = null;
    stream?.close();
    stream = null;
    setState("closed");
  }

  return {
    /** Connects; another organisation's events start now, the same one's where the stream stopped. */
    follow(organisationId: string | null): void {
      stop();
      if (followed !== organisationId) position.startOver();
      followed = organisationId;
      setState("connecting");
      const userId = options.userId();
      if (options.sharing === null || userId === null) return void openStream(organisationId);
      tabs = joinTabs<TabMessage>(options.sharing, {
        name: `leadline.events.${userId}.${organisationId}`,
        lead: () => openStream(organisationId),
        receive,
        greet: publishStatus,
      });
    },
    stop,
    /** Retries immediately instead of waiting: the network is back. */
    wake: (): void => stream?.wake(),
    subscribe,
    state: connection.state,
    onStateChange: connection.onStateChange,
  };
}
