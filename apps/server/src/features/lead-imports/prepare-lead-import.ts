import { randomUUID } from "node:crypto";
import { type LeadImport, maxImportRows } from "@leadline/contract/lead-imports";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member, ReceivedFile } from "../../http/route.ts";
import type { Asker } from "../../threads/open-work-thread.ts";
import { countDaily } from "../attempts/count-daily.ts";
import type { LeadImportDeps } from "./lead-import-deps.ts";
import { countRunningImports, lockImports, removeOldestDrafts, removeOldestFinished } from "./kept-imports.table.ts";
import { insertLeadImport } from "./lead-imports.table.ts";
import { isEmptyRow, UnreadableCsv } from "./reading/parse-row.ts";
import { readCells, readHeader, tidyCsv } from "./reading/read-csv.ts";
import { suggestMapping } from "./suggest-mapping.ts";

const previewRows = 20;
/** Per organisation, drafts and running ones together, to limit the size of their files. */
const maxKeptImports = 10;
/** Per organisation, to limit the size of their failed rows. The next upload deletes the oldest beyond this. */
const maxFinished = 20;
/** Per person, in all their organisations. */
const maxPerDay = 100;
/** Of a column's name or a previewed cell. */
const longestShown = 200;

/** Reads the whole file once, so that errors of the file itself are reported now, and stores it for the import. */
export async function prepareLeadImport(
  deps: Pick<LeadImportDeps, "database" | "store">,
  caller: Member,
  { file, gone }: { file: ReceivedFile | undefined; gone: AbortSignal },
): Promise<LeadImport> {
  if (file === undefined) throw invalidInput([{ path: ["file[]"], message: "Choose a file." }]);
  await countDaily(deps.database.withTransaction, "lead import", {
    by: caller.userId,
    most: maxPerDay,
    sentence: `You can upload ${maxPerDay} import files a day.`,
  });
  const read = await readThrough(file, { by: caller.organisation.id, signal: gone });
  const storedName = await deps.store.keep(file.path);
  const id = randomUUID();
  const key = { id, organisationId: caller.organisation.id, userId: caller.userId };
  const fileName = file.name.slice(-255);
  const refusal = new Problem("file-refused", tooManyRunning);
  const { prepared, forgotten } = await deps.database
    .withTransaction(key, async (tx) => {
      await lockImports(tx, key.organisationId);
      const running = await countRunningImports(tx, key.organisationId);
      if (running >= maxKeptImports) throw refusal;
      const suggestedMapping = suggestMapping(read.columns);
      const draft = { ...key, fileName, storedName, ...read, suggestedMapping };
      const inserted = await insertLeadImport(tx, draft);
      const finished = await removeOldestFinished(tx, key.organisationId, maxFinished);
      // A new upload suggests that older drafts were abandoned.
      const drafts = await removeOldestDrafts(tx, key.organisationId, maxKeptImports - running);
      return { prepared: inserted, forgotten: [...finished, ...drafts] };
    })
    .catch(async (error: unknown) => {
      // After any other failure, its row may have been committed. The sweep deletes it if not.
      if (error === refusal) await deps.store.remove(storedName);
      throw error;
    });
  for (const name of forgotten) await deps.store.remove(name);
  return prepared;
}

const tooManyRunning = `Your organisation has ${maxKeptImports} imports in progress. Upload the file when one of them finishes.`;

const unreadable = ({ name }: { name: string }, why: string): Problem =>
  new Problem("file-refused", `“${name}” can’t be imported. ${why}`);

async function readThrough({ name, path }: ReceivedFile, asker: Asker) {
  const refused = (why: string) => unreadable({ name }, why);
  try {
    const delimiter = await tidyCsv(path, asker);
    const header = await readHeader({ path, delimiter }, asker);
    const columns = header.cells.map((cell) => cell.trim().slice(0, longestShown));
    if (isEmptyRow(columns)) throw refused("The first row must contain the column names.");
    if (columns.length < 2) throw refused("It needs at least a name column, and a phone or email column.");
    let rowCount = 0;
    const preview: string[][] = [];
    const place = { path, delimiter, startByte: header.end, rowsBefore: 1 };
    for await (const part of readCells({ ...place, keep: previewRows, ...asker })) {
      preview.push(...part.kept.slice(0, previewRows - preview.length));
      rowCount += part.filledRows;
      if (rowCount > maxImportRows)
        throw refused(`It has more than ${maxImportRows.toLocaleString("en")} rows. Split it and import the parts.`);
    }
    if (rowCount === 0) throw refused("It has no rows after the column names.");
    const shown = preview.map((cells) => cells.map((cell) => cell.slice(0, longestShown)));
    return { delimiter, columns, preview: shown, rowCount, bytesRead: header.end };
  } catch (error) {
    throw error instanceof UnreadableCsv ? refused(error.message) : error;
  }
}
