export interface TestStream {
  /** Comments and retry lines left out. */
  events: { id?: string; event?: string; data?: string }[];
  until(condition: () => boolean): Promise<void>;
  ended: Promise<void>;
  close(): void;
}

/** Reads text/event-stream (HTML Living Standard, 9.2) as a browser's fetch does. */
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
    let rest = "";
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      const blocks = (rest + chunk).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = block.split("\n").map((line) => /^(id|event|data): (.*)$/.exec(line));
        const event = Object.fromEntries(fields.flatMap((field) => (field === null ? [] : [[field[1], field[2]]])));
        if (Object.keys(event).length > 0) events.push(event);
      }
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
