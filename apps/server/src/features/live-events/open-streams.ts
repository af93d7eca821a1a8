export interface OpenStream {
  userId: string;
  sessionId: string;
  organisationId: string;
  /** False for an analyst, for whom no call rings. */
  takesCalls: boolean;
  /** Receives an event for its organisation. data is null if it must be read from the database. */
  receive(event: { id: number; type: string; data: string | null }): void;
  /** Notifications may have been missed: read newer events from the database. */
  catchUp(): void;
  /** Sends a comment line, so that a dead connection is detected. */
  beat(): void;
  end(): void;
}

export interface OpenStreams {
  add(stream: OpenStream): void;
  remove(stream: OpenStream): void;
  ofOrganisation(organisationId: string): Iterable<OpenStream>;
  /** Who has a tab open in that organisation and can take its calls. */
  peopleIn(organisationId: string): Set<string>;
  all(): OpenStream[];
  /** Ends every stream, including streams whose requests are still in progress and open later. */
  endAll(): void;
  /** Ends all of a person's streams. A live client reconnects. */
  endOf(userId: string): void;
  /** How many streams the user has open in this process, at least one for each browser with Leadline open. */
  count(userId: string): number;
  /** Called whenever that count changes. */
  onChange(listener: (userId: string, count: number) => void): void;
}

export function createOpenStreams(): OpenStreams {
  const byOrganisation = new Map<string, Set<OpenStream>>();
  const counts = new Map<string, number>();
  const listeners: ((userId: string, count: number) => void)[] = [];
  let isOver = false;

  const change = (userId: string, by: 1 | -1): void => {
    const count = (counts.get(userId) ?? 0) + by;
    if (count === 0) counts.delete(userId);
    else counts.set(userId, count);
    for (const listener of listeners) listener(userId, count);
  };

  const all = (): OpenStream[] => [...byOrganisation.values()].flatMap((streams) => [...streams]);

  return {
    add(stream) {
      const streams = byOrganisation.get(stream.organisationId) ?? new Set();
      byOrganisation.set(stream.organisationId, streams.add(stream));
      change(stream.userId, 1);
      if (isOver) stream.end();
    },
    remove(stream) {
      const streams = byOrganisation.get(stream.organisationId);
      if (streams?.delete(stream) !== true) return;
      if (streams.size === 0) byOrganisation.delete(stream.organisationId);
      change(stream.userId, -1);
    },
    ofOrganisation: (organisationId) => byOrganisation.get(organisationId) ?? [],
    peopleIn: (organisationId) =>
      new Set(
        [...(byOrganisation.get(organisationId) ?? [])]
          .filter(({ takesCalls }) => takesCalls)
          .map(({ userId }) => userId),
      ),
    all,
    endAll() {
      isOver = true;
      for (const stream of all()) stream.end();
    },
    endOf(userId) {
      for (const stream of all()) if (stream.userId === userId) stream.end();
    },
    count: (userId) => counts.get(userId) ?? 0,
    onChange(listener) {
      listeners.push(listener);
    },
  };
}
