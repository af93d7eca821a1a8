import { createLiveListeners, type LiveConnectionState } from "./live-listeners.ts";
import { type EventStream, type EventStreamOptions, openEventStream } from "./open-event-stream.ts";
import type { StreamEvent } from "./parse-event-stream.ts";
import type { RefreshOutcome } from "./refresh-access.ts";
import { joinTabs, type TabGroup, type TabSharing } from "./share-among-tabs.ts";

interface LiveEventsOptions extends EventStreamOptions {
  /** The stream has ended for good: the person has no session, or none any more. */
  onSignedOut: (outcome: Exclude<RefreshOutcome, "refreshed">) => void;
  /** Events were missed: whatever was read before may be stale. */
  onMissed: () => void;
  /** The person is not, or not actively, in the organisation any more. */
  onOtherOrganisation: () => void;
  /** Whose tabs share the stream; null while nobody is signed in. */
  userId: () => string | null;
  /** Null where the browser lacks what tabs need to share: then each has a stream of its own. */
  sharing: TabSharing | null;
}

/** What the tab with the stream sends to the others. */
type TabMessage =
  /** after: the event before it, so that a tab notices what it missed. */
  | { is: "event"; event: StreamEvent; after: string }
  | { is: "status"; state: "connecting" | "open" | "lost"; lastEventId: string }
  | { is: "missed" }
  | { is: "other-organisation" };

/**
 * One stream with retry and resume for all tabs of a person in an organisation, and any number of listeners: HTTP/1.1 gives
 * a browser six connections to a server, and each stream holds one.
 */
export function createLiveEvents(options: LiveEventsOptions) {
  const { deliver, subscribe, isLiveEventType, ...connection } = createLiveListeners();
  let stream: EventStream | null = null;
  let tabs: TabGroup<TabMessage> | null = null;
  let lastEventId = "";
  let wasOpen = false;
  let followed: string | null | undefined;

  function setState(next: LiveConnectionState): void {
    if (next === "open") wasOpen = true;
    connection.setState(next);
  }

  function missed(): void {
    options.onMissed();
    deliver("reset", {});
  }

  const isPast = (id: string): boolean => id !== "" && lastEventId !== "" && Number(id) <= Number(lastEventId);

  function take({ id, type, data }: StreamEvent): void {
    // A tab that has just taken over may bring again what the one before it brought.
    if (type !== "reset" && isPast(id)) return;
    lastEventId = id || lastEventId;
    if (!isLiveEventType(type)) return;
    if (type === "reset") missed();
    else deliver(type, JSON.parse(data));
  }

  const tellStatus = (): void => {
    const state = connection.state();
    if (state !== "closed") tabs?.send({ is: "status", state, lastEventId });
  };

  function openStream(organisationId: string | null): () => void {
    // Without an id there is nothing to resume from, so what the gap held is unknown.
    const missWithoutId = (): void => {
      if (!wasOpen || lastEventId !== "") return;
      missed();
      tabs?.send({ is: "missed" });
    };
    const opened = openEventStream(options, {
      organisationId,
      lastEventId: () => lastEventId,
      onEvent(event) {
        tabs?.send({ is: "event", event, after: lastEventId });
        take(event);
      },
      onPosition(id) {
        lastEventId = id;
        tellStatus();
      },
      onState(next) {
        if (next === "open") missWithoutId();
        setState(next);
        tellStatus();
      },
      onAlive: tellStatus,
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
      catchUpWith(message.lastEventId);
      setState(message.state);
      if (message.state === "lost") return "shaky";
    } else {
      catchUpWith(message.after);
      take(message.event);
    }
    return "steady";
  }

  /** Messages that were lost on a tab that slept are events that it missed. */
  function catchUpWith(id: string): void {
    if (id === "" || isPast(id)) return;
    const hasGap = lastEventId !== "";
    lastEventId = id;
    if (hasGap) missed();
  }

  function stop(): void {
    tabs?.leave();
    tabs = null;
    stream?.close();
    stream = null;
    setState("closed");
  }

  return {
    /** Connects; another organisation's events start at now, the same one's where the stream left off. */
    follow(organisationId: string | null): void {
      stop();
      if (followed !== organisationId) {
        lastEventId = "";
        wasOpen = false;
      }
      followed = organisationId;
      setState("connecting");
      const userId = options.userId();
      if (options.sharing === null || userId === null) return void openStream(organisationId);
      tabs = joinTabs<TabMessage>(options.sharing, {
        name: `leadline.events.${userId}.${organisationId}`,
        lead: () => openStream(organisationId),
        receive,
        greet: tellStatus,
      });
    },
    stop,
    /** Tries at once instead of waiting out the pause: the network is back. */
    wake: (): void => stream?.wake(),
    subscribe,
    state: connection.state,
    onStateChange: connection.onStateChange,
  };
}
