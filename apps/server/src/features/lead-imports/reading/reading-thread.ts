import { type PartialLeadMapping, readLeadRow } from "@leadline/contract/lead-imports";
import { answerInThread } from "../../../threads/answer-in-thread.ts";
import { UnreadableCsv } from "./parse-row.ts";
import { type Place, readHeader, readRows, type Stretch } from "./read-rows.ts";
import { tidyText } from "./tidy-text.ts";

export type ReadingQuestion =
  | { kind: "tidy"; path: string }
  | { kind: "header"; path: string; delimiter: string }
  | ({ kind: "cells"; keep: number } & Place)
  | ({ kind: "leads"; mapping: PartialLeadMapping } & Place);

export type ReadRow = ReturnType<typeof readLeadRow>;
/** With its cells if it isn't a valid lead. */
export type NumberedRow = ReadRow & { rowNumber: number; cells: string[] };
export interface CellsRead extends Stretch {
  /** How many rows aren't empty. */
  filledRows: number;
  /** The first of them. */
  kept: string[][];
}
export interface LeadsRead extends Stretch {
  rows: NumberedRow[];
}
export type ReadingAnswer =
  | { refused: string }
  | { kind: "tidy"; delimiter: string }
  | { kind: "header"; cells: string[]; end: number }
  | ({ kind: "cells" } & CellsRead)
  | ({ kind: "leads" } & LeadsRead);

/** The number of leads per transaction. */
const leadsAStep = 1_000;

answerInThread((question: ReadingQuestion): ReadingAnswer => {
  try {
    if (question.kind === "tidy") return { kind: "tidy", delimiter: tidyText(question.path) };
    if (question.kind === "header") return { kind: "header", ...readHeader(question) };
    return question.kind === "cells" ? readCells(question) : readLeads(question);
  } catch (error) {
    if (error instanceof UnreadableCsv) return { refused: error.message };
    throw error;
  }
});

function readCells({ keep, ...place }: Place & { keep: number }): ReadingAnswer {
  const kept: string[][] = [];
  let filledRows = 0;
  const stretch = readRows(place, (cells) => {
    filledRows += 1;
    if (kept.length < keep) kept.push(cells);
    return true;
  });
  return { kind: "cells", ...stretch, filledRows, kept };
}

function readLeads({ mapping, ...place }: Place & { mapping: PartialLeadMapping }): ReadingAnswer {
  const rows: NumberedRow[] = [];
  const stretch = readRows(place, (cells, rowNumber) => {
    const read = readLeadRow(cells, mapping);
    return rows.push({ ...read, rowNumber, cells: "lead" in read ? [] : cells }) < leadsAStep;
  });
  return { kind: "leads", ...stretch, rows };
}
