import type { ServerResponse } from "node:http";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../log.ts";
import { selectMissed } from "./live-events.table.ts";
import type { OpenStream, OpenStreams } from "./open-streams.ts";

/** A client this far behind is disconnected; it resumes from its last event id. */
const maxBufferedBytes = 1_000_000;

/**
 * Writes one stream: the newest id, so that a stream without events can resume; then missed events; then live ones.
 * Those that arrive during the query wait, so that ids only grow.
 */
export function streamLiveEvents(options: {
  database: Database;
  streams: OpenStreams;
  response: ServerResponse;
  caller: Pick<OpenStream, "userId" | "sessionId" | "organisationId" | "takesCalls">;
  lastEventId: number | null;
  log: Log;
}): void {
  const { database, streams, response, caller, log } = options;
  const { userId, organisationId } = caller;
  let sentId: number | null = options.lastEventId;
  let reading: Promise<void> | null = null;
  let readAgain = false;
  let waiting: { id: number; type: string; data: string }[] = [];

  const write = (text: string): void => {
    if (response.writableEnded) return;
    response.write(text);
    if (response.writableLength > maxBufferedBytes) stream.end();
  };
  const send = (event: { id: number; type: string; data: string }): void => {
    if (sentId !== null && event.id <= sentId) return;
    sentId = event.id;
    write(`id: ${event.id}\nevent: ${event.type}\ndata: ${event.data}\n\n`);
  };

  const readMissed = async (): Promise<void> => {
    const { lastId, missed } = await database.withTransaction({ userId, organisationId }, (tx) =>
      selectMissed(tx, { organisationId, after: sentId }),
    );
    if (missed === null) {
      write(`id: ${lastId}\nevent: reset\ndata: {}\n\n`);
      sentId = lastId;
    } else if (sentId === null) {
      write(`id: ${lastId}\n\n`);
      sentId = lastId;
    } else for (const event of missed) send(event);
  };

  const readAndFlush = async (): Promise<void> => {
    do {
      readAgain = false;
      await readMissed();
    } while (readAgain);
    reading = null;
    for (const event of waiting.splice(0)) send(event);
  };

  const stream: OpenStream = {
    ...caller,
    receive(event) {
      const { data } = event;
      if (data === null) stream.catchUp();
      else if (reading === null) send({ ...event, data });
      else waiting.push({ ...event, data });
    },
    catchUp() {
      if (reading !== null) {
        readAgain = true;
        return;
      }
      reading = readAndFlush().catch((error: unknown) => {
        log.warn({ err: error }, "a stream could not read its events and was ended; the client resumes");
        stream.end();
      });
    },
    beat: () => write(": still here\n\n"),
    end() {
      waiting = [];
      streams.remove(stream);
      response.end();
    },
  };

  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  response.write("retry: 1000\n\n");
  response.once("close", () => streams.remove(stream));
  streams.add(stream);
  stream.catchUp();
}
