import type { LiveEventData, LiveEventType } from "@leadline/contract/live-events";
import { organisationHeader } from "@leadline/contract/organisation-header";
import { createEventStreamParser } from "./parse-event-stream.ts";
import type { RefreshOutcome } from "./refresh-access.ts";

/** lost: it was open, or would not open, and is being opened again. */
export type LiveConnectionState = "connecting" | "open" | "lost" | "closed";

interface LiveEventsOptions {
  url: string;
  accessToken: () => string | null;
  refreshAccess: (refusedAccessToken: string | null) => Promise<RefreshOutcome>;
  /** The stream has ended for good: the person has no session, or none any more. */
  onSignedOut: (outcome: SignedOut) => void;
  /** Events were missed: whatever was read before may be stale. */
  onMissed: () => void;
  /** The person is not, or not actively, in the organisation any more. */
  onOtherOrganisation: () => void;
  firstRetryMs?: number;
  longestRetryMs?: number;
  /** A connection that is silent for longer is taken for dead. */
  silenceMs?: number;
}

type SignedOut = Exclude<RefreshOutcome, "refreshed">;
type Listener<T extends LiveEventType> = (data: LiveEventData<T>) => void;
type Listeners = { [T in LiveEventType]: Set<Listener<T>> };

/** One stream with retry and resume, for any number of listeners. */
export function createLiveEvents(options: LiveEventsOptions) {
  const { firstRetryMs = 500, longestRetryMs = 4_000, silenceMs = 60_000 } = options;
  const listeners: Listeners = {
    "call.updated": new Set(),
    "organisation.updated": new Set(),
    "phone-numbers.changed": new Set(),
    "integration.updated": new Set(),
    "sync.updated": new Set(),
    reset: new Set(),
  };
  const isLiveEventType = (type: string): type is LiveEventType => Object.hasOwn(listeners, type);
  const stateListeners = new Set<() => void>();
  let state: LiveConnectionState = "closed";
  let running: AbortController | null = null;
  let lastEventId = "";
  let wasOpen = false;
  let failing = false;
  let followed: string | null | undefined;

  function setState(next: LiveConnectionState): void {
    if (next === state) return;
    state = next;
    for (const listener of stateListeners) listener();
  }

  function deliver<T extends LiveEventType>(type: T, data: LiveEventData<T>): void {
    for (const listener of listeners[type]) listener(data);
  }

  function missed(): void {
    options.onMissed();
    deliver("reset", {});
  }

  async function readStream(signal: AbortSignal): Promise<"ended" | "refused" | "retry-now" | SignedOut> {
    const accessToken = options.accessToken();
    const headers = new Headers({ accept: "text/event-stream", authorization: `Bearer ${accessToken ?? ""}` });
    if (followed) headers.set(organisationHeader, followed);
    if (lastEventId) headers.set("last-event-id", lastEventId);
    const response = await fetch(options.url, { headers, signal, cache: "no-store" });
    if (response.status === 401) {
      const refresh = await options.refreshAccess(accessToken);
      return refresh === "refreshed" ? "retry-now" : refresh;
    }
    if (response.status === 403 || response.status === 409) {
      options.onOtherOrganisation();
      return "refused";
    }
    if (!response.ok || !response.body) throw new Error(`The event stream answered ${response.status}.`);
    failing = false;
    setState("open");
    const parse = createEventStreamParser((event) => {
      lastEventId = event.id || lastEventId;
      if (!isLiveEventType(event.type)) return;
      if (event.type === "reset") missed();
      else deliver(event.type, JSON.parse(event.data));
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const piece = await readWithin(reader, silenceMs);
      if (piece === null) return "ended";
      parse(piece);
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    let retryMs = firstRetryMs;
    let refreshedInVain = false;
    while (!signal.aborted) {
      setState(failing ? "lost" : "connecting");
      const attempt = new AbortController();
      const abortAttempt = () => attempt.abort();
      signal.addEventListener("abort", abortAttempt, { once: true });
      try {
        // Without an id there is nothing to resume from, so what the gap held is unknown.
        if (wasOpen && !lastEventId) missed();
        const outcome = await readStream(attempt.signal);
        if (outcome === "signed-out" || outcome === "no-session") {
          options.onSignedOut(outcome);
          break;
        }
        if (outcome === "retry-now" && !refreshedInVain) {
          refreshedInVain = true;
          continue;
        }
        failing = outcome !== "refused";
      } catch {
        // Whatever broke, the loop tries again.
        failing = true;
      } finally {
        attempt.abort();
        signal.removeEventListener("abort", abortAttempt);
      }
      if (signal.aborted) break;
      if (state === "open") {
        wasOpen = true;
        refreshedInVain = false;
        retryMs = firstRetryMs;
      }
      setState(failing ? "lost" : "connecting");
      await pause(retryMs * (0.75 + Math.random() / 2), signal);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  function stop(): void {
    running?.abort();
    running = null;
    setState("closed");
  }

  function connect(): void {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    void run(controller.signal).finally(() => {
      if (running === controller) stop();
    });
  }

  return {
    /** Connects; another organisation's events start at now, the same one's where the stream left off. */
    follow(organisationId: string | null): void {
      if (followed !== organisationId) {
        lastEventId = "";
        wasOpen = false;
        failing = false;
      }
      followed = organisationId;
      connect();
    },
    stop,
    /** Tries at once instead of waiting out the pause: the network is back. */
    wake(): void {
      if (running && state !== "open") connect();
    },
    subscribe<T extends LiveEventType>(type: T, listener: Listener<T>): () => void {
      listeners[type].add(listener);
      return () => {
        listeners[type].delete(listener);
      };
    },
    state: (): LiveConnectionState => state,
    onStateChange(listener: () => void): () => void {
      stateListeners.add(listener);
      return () => {
        stateListeners.delete(listener);
      };
    },
  };
}

/** null at the stream's end; throws after `silenceMs` without a byte. */
async function readWithin(reader: ReadableStreamDefaultReader<string>, silenceMs: number): Promise<string | null> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The event stream fell silent.")), silenceMs);
  try {
    const { done, value } = await Promise.race([reader.read(), silence]);
    return done ? null : value;
  } finally {
    clearTimeout(timer);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
