import { organisationHeader } from "@leadline/contract/organisation-header";
import { createParser } from "eventsource-parser";
import type { RefreshOutcome } from "./refresh-access.ts";

export interface StreamEvent {
  /** Empty if the stream hasn't sent one yet. */
  id: string;
  type: string;
  data: string;
}

type SignedOut = Exclude<RefreshOutcome, "refreshed">;

export interface EventStreamOptions {
  url: string;
  accessToken: () => string | null;
  refreshAccess: (refusedAccessToken: string | null) => Promise<RefreshOutcome>;
  firstRetryMs?: number | undefined;
  longestRetryMs?: number | undefined;
  /** A connection that is silent for longer is considered dead. */
  silenceMs?: number | undefined;
}

export interface EventStreamListener {
  organisationId: string | null;
  /** Where to resume; empty if nothing has been received yet. */
  lastEventId: () => string;
  onEvent: (event: StreamEvent) => void;
  /** The stream's position, sent before its first event. */
  onPosition: (id: string) => void;
  onState: (state: "connecting" | "open" | "lost") => void;
  /** Bytes arrived: the connection is alive. */
  onAlive: () => void;
  /** The stream has ended for good: the user has no session, or it has ended. */
  onSignedOut: (outcome: SignedOut) => void;
  /** The organisation is no longer the user's, or no longer active. */
  onOtherOrganisation: () => void;
}

export interface EventStream {
  /** Retries immediately instead of waiting: the network is back. */
  wake(): void;
  close(): void;
}

/**
 * Reads the stream until closed: reconnects with growing delays, resumes after the last event, and refreshes the token
 * on a 401.
 */
export function openEventStream(options: EventStreamOptions, listener: EventStreamListener): EventStream {
  const { firstRetryMs = 500, longestRetryMs = 4_000, silenceMs = 60_000 } = options;
  let running = new AbortController();
  let isOpen = false;
  let failing = false;

  async function read(signal: AbortSignal): Promise<"ended" | "refused" | "retry-now" | SignedOut> {
    const accessToken = options.accessToken();
    const headers = new Headers({ accept: "text/event-stream", authorization: `Bearer ${accessToken ?? ""}` });
    if (listener.organisationId) headers.set(organisationHeader, listener.organisationId);
    const lastEventId = listener.lastEventId();
    if (lastEventId) headers.set("last-event-id", lastEventId);
    const response = await fetch(options.url, { headers, signal, cache: "no-store" });
    if (response.status === 401) {
      const refresh = await options.refreshAccess(accessToken);
      return refresh === "refreshed" ? "retry-now" : refresh;
    }
    if (response.status === 403 || response.status === 409) {
      listener.onOtherOrganisation();
      return "refused";
    }
    if (!response.ok || !response.body) throw new Error(`The event stream answered ${response.status}.`);
    failing = false;
    isOpen = true;
    listener.onState("open");
    const parse = followStream(listener);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const piece = await readWithin(reader, silenceMs);
      // After another stream has taken over, that one delivers pending events.
      if (signal.aborted || piece === null) return "ended";
      listener.onAlive();
      parse(piece);
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    let retryMs = firstRetryMs;
    let refreshedInVain = false;
    while (!signal.aborted) {
      isOpen = false;
      listener.onState(failing ? "lost" : "connecting");
      const attempt = new AbortController();
      const abortAttempt = () => attempt.abort();
      signal.addEventListener("abort", abortAttempt, { once: true });
      try {
        const outcome = await read(attempt.signal);
        if (signal.aborted) break;
        if (outcome === "signed-out" || outcome === "no-session") return listener.onSignedOut(outcome);
        if (outcome === "retry-now" && !refreshedInVain) {
          refreshedInVain = true;
          continue;
        }
        failing = outcome !== "refused";
      } catch {
        // Whatever failed, the loop retries.
        failing = true;
      } finally {
        attempt.abort();
        signal.removeEventListener("abort", abortAttempt);
      }
      if (signal.aborted) break;
      if (isOpen) {
        refreshedInVain = false;
        retryMs = firstRetryMs;
      }
      listener.onState(failing ? "lost" : "connecting");
      await pause(retryMs * (0.75 + Math.random() / 2), signal);
      retryMs = Math.min(retryMs * 2, longestRetryMs);
    }
  }

  void run(running.signal);
  return {
    wake(): void {
      if (isOpen || running.signal.aborted) return;
      running.abort();
      running = new AbortController();
      void run(running.signal);
    },
    close: () => running.abort(),
  };
}

/** Parses the stream's text, in chunks of any size. */
function followStream({ onEvent, onPosition }: Pick<EventStreamListener, "onEvent" | "onPosition">) {
  let [id, reported] = ["", ""];
  const parser = createParser({
    onId: (next) => void (id = next),
    onEvent({ event = "message", data }) {
      reported = id;
      onEvent({ id, type: event, data });
    },
  });
  return (text: string): void => {
    parser.feed(text);
    if (id !== reported) onPosition(id);
    reported = id;
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
