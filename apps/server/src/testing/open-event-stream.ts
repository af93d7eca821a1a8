import { createParser } from "eventsource-parser";

export interface TestStream {
  /** An id without an event, which says where to resume, is in here too; comments and retry lines aren't. */
  events: { id?: string | undefined; event?: string | undefined; data?: string }[];
  until(condition: () => boolean): Promise<void>;
  ended: Promise<void>;
  close(): void;
}

/** Reads the live events over HTTP, as the web app does. */
export async function openEventStream(
  origin: string,
  by: { token: string; lastEventId?: string },
): Promise<TestStream> {
  const abort = new AbortController();
  const headers: Record<string, string> = { authorization: `Bearer ${by.token}` };
  if (by.lastEventId !== undefined) headers["last-event-id"] = by.lastEventId;
  const response = await fetch(`${origin}/api/v1/events`, { headers, signal: abort.signal });
  if (response.status !== 200 || response.body === null) throw new Error(`no stream: ${response.status}`);
  const { body } = response;
  const events: TestStream["events"] = [];
  const waiters = new Set<() => void>();
  const read = async (): Promise<void> => {
    const parser = createParser({
      onId: (id) => void events.push({ id }),
      onEvent(event) {
        if (event.id !== undefined) events.pop();
        events.push(event);
      },
    });
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      parser.feed(chunk);
      for (const wake of waiters) wake();
    }
  };
  const ended = read().catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
  });
  return {
    events,
    ended,
    close: () => abort.abort(),
    until: (condition) =>
      new Promise((resolve) => {
        const check = () => {
          if (!condition()) return;
          waiters.delete(check);
          resolve();
        };
        waiters.add(check);
        check();
      }),
  };
}
