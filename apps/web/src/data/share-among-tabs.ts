/** What the tabs of one browser need to agree on who reads the event stream; missing on plain-http origins. */
export interface TabSharing {
  locks: Pick<LockManager, "request">;
  openChannel: (name: string) => Pick<BroadcastChannel, "postMessage" | "close" | "addEventListener">;
  /** A follower that hears nothing for this long takes over: the leader is frozen or hangs. */
  quietMs?: number;
  /** The same for a newly opened tab, and while the leader has trouble: a hidden tab's timers are slow. */
  impatientMs?: number;
}

interface Member<Message> {
  /** The name of what is shared: tabs of another user or organisation are separate. */
  name: string;
  /** This tab now leads. Returns a function that stops it. */
  lead: () => () => void;
  /** Handles the leader's message; returns whether the leader is fine. */
  receive: (message: Message) => "steady" | "shaky";
  /** Another tab has just been opened, and this one leads. */
  greet: () => void;
}

export interface TabGroup<Message> {
  send(message: Message): void;
  leave(): void;
}

interface Envelope<Message> {
  /** "hello": a newly opened tab asks the leader to report. */
  hello?: true;
  message?: Message;
}

const watchEveryMs = 1_000;

/**
 * One tab of a group leads, by a Web Lock: the browser grants it to the next one as soon as the tab closes or crashes.
 * A silent leader loses the lock; once it wakes up, it follows.
 */
export function joinTabs<Message>(
  { locks, openChannel, quietMs = 25_000, impatientMs = 8_000 }: TabSharing,
  { name, lead, receive, greet }: Member<Message>,
): TabGroup<Message> {
  const channel = openChannel(name);
  const left = new AbortController();
  let stopLeading: (() => void) | null = null;
  let queued = new AbortController();
  let heardAtMs = performance.now();
  let allowedQuietMs = impatientMs;
  let watchedAtMs = performance.now();
  const post = (envelope: Envelope<Message>): void => channel.postMessage(envelope);

  async function queue(steal: boolean): Promise<void> {
    queued.abort();
    queued = new AbortController();
    const { signal } = queued;
    let release = (): void => {};
    try {
      await locks.request(name, steal ? { steal } : { signal }, () => {
        if (left.signal.aborted) return;
        stopLeading = lead();
        const { promise, resolve } = Promise.withResolvers<void>();
        release = resolve;
        left.signal.addEventListener("abort", () => resolve());
        return promise;
      });
    } catch {
      // Another tab took the lead, or this one is about to.
    }
    release();
    if (signal.aborted && !steal) return;
    stopLeading?.();
    stopLeading = null;
    noteLeader("steady");
    if (!left.signal.aborted) void queue(false);
  }

  function noteLeader(leader: "steady" | "shaky"): void {
    heardAtMs = performance.now();
    allowedQuietMs = leader === "steady" ? quietMs : impatientMs;
  }

  channel.addEventListener("message", (event) => {
    const { hello, message }: Envelope<Message> = (event as MessageEvent<Envelope<Message>>).data;
    if (hello) return stopLeading ? greet() : undefined;
    if (message === undefined || stopLeading) return;
    noteLeader(receive(message));
  });
  const watch = setInterval(
    () => {
      const nowMs = performance.now();
      const wasAsleep = nowMs - watchedAtMs > 3 * watchEveryMs;
      watchedAtMs = nowMs;
      if (stopLeading) return;
      // If this tab slept, the leader wasn't the silent one.
      if (wasAsleep) heardAtMs = nowMs;
      else if (nowMs - heardAtMs > allowedQuietMs) void queue(true);
    },
    Math.min(watchEveryMs, impatientMs),
  );
  post({ hello: true });
  void queue(false);

  return {
    send: (message) => post({ message }),
    leave(): void {
      clearInterval(watch);
      left.abort();
      queued.abort();
      stopLeading?.();
      stopLeading = null;
      channel.close();
    },
  };
}
