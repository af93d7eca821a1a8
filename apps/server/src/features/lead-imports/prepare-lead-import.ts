import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { type LeadImport, mostImportRows } from "@leadline/contract/lead-imports";
import { Problem } from "../../http/problem.ts";
import { invalidInput } from "../../http/read-input.ts";
import type { Member, ReceivedFile } from "../../http/route.ts";
import type { LeadImportDeps } from "./lead-import-deps.ts";
import { countRunningImports, lockImports, removeOldestDrafts } from "./kept-imports.table.ts";
import { insertLeadImport } from "./lead-imports.table.ts";
import { csvFault, findDelimiter, isBinary, isEmptyRow, readCsv, toPlainText } from "./read-csv.ts";
import { suggestMapping } from "./suggest-mapping.ts";

const previewRows = 20;
const mostColumns = 200;
/** Of an organisation, drafts and running ones alike: what their files take is bounded. */
const mostKeptImports = 10;
/** Of a column's name or a previewed cell. */
const longestShown = 200;

/** Reads the file through once, so that what is wrong with it as a whole is told now, and keeps it for the import. */
export async function prepareLeadImport(
  deps: LeadImportDeps,
  caller: Member,
  file: ReceivedFile | undefined,
): Promise<LeadImport> {
  if (file === undefined) throw invalidInput([{ path: ["file[]"], message: "Choose a file." }]);
  const plainText = toPlainText(await readFile(file.path));
  if (isBinary(plainText)) throw refusal(file, "It is not text. Save a workbook as CSV first, then choose that file.");
  await writeFile(file.path, plainText);
  const delimiter = findDelimiter(plainText.split("\n", 1)[0] ?? "");
  const read = await readThrough(file, delimiter);
  const storedName = await deps.store.keep(file.path);
  const id = randomUUID();
  const key = { id, organisationId: caller.organisation.id, userId: caller.userId };
  const fileName = file.name.slice(-255);
  const { prepared, forgotten } = await deps.database.withTransaction(key, async (tx) => {
    await lockImports(tx, key.organisationId);
    const running = await countRunningImports(tx, key.organisationId);
    // Its bytes go with the next sweep, as those of every upload that no row tells of.
    if (running >= mostKeptImports) throw new Problem("file-refused", tooManyRunning);
    const suggestedMapping = suggestMapping(read.columns);
    const draft = { ...key, fileName, storedName, delimiter, ...read, suggestedMapping };
    return {
      prepared: await insertLeadImport(tx, draft),
      // Whoever uploads anew has most likely left the older ones.
      forgotten: await removeOldestDrafts(tx, key.organisationId, mostKeptImports - running),
    };
  });
  for (const name of forgotten) await deps.store.remove(name);
  return prepared;
}

const tooManyRunning = `Your organisation has ${mostKeptImports} imports under way. Upload the file once one of them is done.`;

const refusal = ({ name }: { name: string }, why: string): Problem =>
  new Problem("file-refused", `“${name}” cannot be imported. ${why}`);

async function readThrough({ name, path }: ReceivedFile, delimiter: string) {
  const refused = (why: string) => refusal({ name }, why);
  let columns: string[] | undefined;
  let bytesRead = 0;
  let rowCount = 0;
  const preview: string[][] = [];
  try {
    for await (const { cells, endByte } of readCsv(createReadStream(path), delimiter)) {
      if (columns === undefined) {
        columns = cells.map((cell) => cell.trim().slice(0, longestShown));
        bytesRead = endByte;
        continue;
      }
      if (isEmptyRow(cells)) continue;
      rowCount += 1;
      if (rowCount > mostImportRows) break;
      if (preview.length < previewRows)
        preview.push(cells.slice(0, mostColumns).map((cell) => cell.slice(0, longestShown)));
    }
  } catch (error) {
    const fault = csvFault(error);
    throw fault === null ? error : refused(fault);
  }
  if (columns === undefined || isEmptyRow(columns)) throw refused("Its first row must name its columns.");
  if (columns.length > mostColumns) throw refused(`It has more than ${mostColumns} columns.`);
  if (columns.length < 4) throw refused("It needs columns for first name, last name, email and phone at least.");
  if (rowCount === 0) throw refused("It has no rows after the first, which names the columns.");
  if (rowCount > mostImportRows)
    throw refused(`It has more than ${mostImportRows.toLocaleString("en")} rows. Split it and import the parts.`);
  return { columns, preview, rowCount, bytesRead };
}
