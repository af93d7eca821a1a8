import type { PartialLeadMapping } from "@leadline/contract/lead-imports";
import { type Asker, openWorkThread } from "../../../threads/open-work-thread.ts";
import { UnreadableCsv } from "./parse-row.ts";
import type { Place } from "./read-rows.ts";
import type { CellsRead, LeadsRead, ReadingAnswer, ReadingQuestion } from "./reading-thread.ts";

const thread = openWorkThread<ReadingQuestion, ReadingAnswer>(new URL("reading-thread.ts", import.meta.url), {
  name: "csv",
  longestMs: 60_000,
  heapMb: 512,
});

/** Asks for a bounded part, so that several users' files are read in turns; throws UnreadableCsv. */
async function ask<Kind extends ReadingQuestion["kind"]>(
  question: Extract<ReadingQuestion, { kind: Kind }>,
  options: Asker,
): Promise<Extract<ReadingAnswer, { kind: Kind }>> {
  options.signal?.throwIfAborted();
  const answer = await thread.ask(question, options);
  if ("refused" in answer) throw new UnreadableCsv(answer.refused);
  return ofKind(question.kind, answer);
}

/** Guarantee: the thread replies to a question with its own kind. */
const ofKind = <Kind extends ReadingQuestion["kind"]>(_kind: Kind, answer: ReadingAnswer) =>
  answer as Extract<ReadingAnswer, { kind: Kind }>;

/** Rewrites the file as UTF-8 with line feeds only, and returns the delimiter. */
export const tidyCsv = async (path: string, options: Asker): Promise<string> =>
  (await ask({ kind: "tidy", path }, options)).delimiter;

export const readHeader = async (file: Pick<Place, "path" | "delimiter">, options: Asker) =>
  ask({ kind: "header", ...file }, options);

/** The rows from there on, in chunks, with the cells of the first `keep` rows of each chunk. */
export async function* readCells(place: Place & { keep: number } & Asker): AsyncGenerator<CellsRead> {
  const { by, signal, ...from } = place;
  for (let part: CellsRead | undefined; !part?.isEndOfFile; from.startByte = part.nextByte) {
    part = await ask({ kind: "cells", ...from }, { by, signal });
    yield part;
    from.rowsBefore += part.rowsRead;
  }
}

/** The import's result for the rows from there on, in chunks. */
export async function* readLeads(
  place: Place & { mapping: PartialLeadMapping } & Pick<Asker, "by">,
): AsyncGenerator<LeadsRead> {
  const { by, ...from } = place;
  for (let part: LeadsRead | undefined; !part?.isEndOfFile; from.startByte = part.nextByte) {
    part = await ask({ kind: "leads", ...from }, { by });
    yield part;
    from.rowsBefore += part.rowsRead;
  }
}
