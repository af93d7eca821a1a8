import { isDeepStrictEqual } from "node:util";
import { createInOrder } from "@leadline/adapter-kit/in-order";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import type { OpenStreams } from "../live-events/open-streams.ts";
import { deletePeopleAt, type PeopleAtProcess, putPeopleAt, selectPeopleAt } from "./people-at-processes.table.ts";
import type { Commands } from "./run-commands.ts";

/** Who has Leadline open, and who is in a call or being rung by a teammate, in any process of this database. */
export interface Presence {
  peopleIn(organisationId: string): ReadonlySet<string>;
  isPresent(userId: string): boolean;
  isBusy(userId: string): boolean;
  /** Ends a person's event streams in every process. Live tabs reconnect at once. */
  endStreamsOf(userId: string): void;
  close(): Promise<void>;
}

/** Batches changes, because many people come and go together after a restart. */
const gatherMs = 50;
/** How often people in calls are checked. Only changes are written. */
const lookEveryMs = 1_000;
/** A process that dies announces nothing, and a database that crashed has lost the presence table. */
const refreshEveryMs = 10_000;
const changed = "people";
const endStreams = "end-streams ";

interface SharePresence {
  database: Database;
  commands: Pick<Commands, "processKey" | "announce" | "onAnnounced">;
  openStreams: Pick<OpenStreams, "all" | "endOf" | "onChange" | "count" | "peopleIn">;
  /** The people on this process's calls, and those being rung directly by a teammate. */
  busyHere(): Iterable<string>;
  log: Log;
}

export async function sharePresence(options: SharePresence): Promise<Presence> {
  const { database, commands, openStreams, log } = options;
  const { processKey } = commands;
  const system = { system: "presence spans every organisation" };
  let elsewhere: PeopleAtProcess[] = [];
  let written: PeopleAtProcess | undefined = { present: [], inCall: [] };
  const inOrder = createInOrder();
  let gathering: NodeJS.Timeout | undefined;
  let closed = false;

  function here(): PeopleAtProcess {
    const organisations = [...new Set(openStreams.all().map(({ organisationId }) => organisationId))].toSorted();
    return {
      present: organisations.flatMap((organisationId) =>
        [...openStreams.peopleIn(organisationId)].toSorted().map((userId) => ({ organisationId, userId })),
      ),
      inCall: [...new Set(options.busyHere())].toSorted(),
    };
  }

  async function write(): Promise<void> {
    const now = here();
    if (closed || isDeepStrictEqual(now, written)) return;
    try {
      await database.withTransaction(system, async (tx) => {
        await putPeopleAt(tx, processKey, now);
        await commands.announce(tx, changed);
      });
      written = now;
    } catch (error) {
      log.warn({ err: error }, "presence could not be announced to other processes");
    }
  }
  const writeInTurn = (): Promise<void> => inOrder(write);

  async function read(): Promise<void> {
    try {
      elsewhere = await database.withTransaction(system, (tx) => selectPeopleAt(tx, { exceptKey: processKey }));
    } catch (error) {
      log.warn({ err: error }, "who is at other processes could not be read");
    }
  }

  openStreams.onChange(() => {
    gathering ??= setTimeout(() => {
      gathering = undefined;
      void writeInTurn();
    }, gatherMs).unref();
  });
  commands.onAnnounced((what) => {
    if (what === changed) void read();
    if (what.startsWith(endStreams)) openStreams.endOf(what.slice(endStreams.length));
  });
  const looking = setInterval(() => void writeInTurn(), lookEveryMs).unref();
  const refreshing = setInterval(() => {
    written = undefined;
    void writeInTurn().then(read);
  }, refreshEveryMs).unref();
  await read();

  return {
    peopleIn(organisationId) {
      const people = openStreams.peopleIn(organisationId);
      for (const { present } of elsewhere)
        for (const one of present) if (one.organisationId === organisationId) people.add(one.userId);
      return people;
    },
    isPresent: (userId) =>
      openStreams.count(userId) > 0 || elsewhere.some(({ present }) => present.some((one) => one.userId === userId)),
    isBusy: (userId) =>
      [...options.busyHere()].includes(userId) || elsewhere.some(({ inCall }) => inCall.includes(userId)),
    endStreamsOf(userId) {
      openStreams.endOf(userId);
      if (elsewhere.length === 0) return;
      database
        .withTransaction(system, (tx) => commands.announce(tx, `${endStreams}${userId}`))
        .catch((error: unknown) => log.warn({ err: error }, "event streams at other processes could not be ended"));
    },
    async close() {
      closed = true;
      clearInterval(looking);
      clearInterval(refreshing);
      clearTimeout(gathering);
      const leave = () =>
        database.withTransaction(system, async (tx) => {
          await deletePeopleAt(tx, processKey);
          await commands.announce(tx, changed);
        });
      await inOrder(leave).catch(() => {});
    },
  };
}
