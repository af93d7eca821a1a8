import type { Database } from "../../db/database.ts";
import type { Tx } from "../../db/transaction.ts";
import type { FileAnswer, Identity } from "../../http/route.ts";
import { streamZip, type ZipEntry } from "../../zip/stream-zip.ts";
import type { PersonalDataDeps } from "./export-lead-data.ts";
import {
  findOwnAvatar,
  type Line,
  type LinesPage,
  selectOwnAuditEntries,
  selectOwnCalls,
  selectOwnData,
  selectOwnNotes,
} from "./own-data.table.ts";
import { requireStored } from "./require-stored.ts";
import { findKnown, type Known } from "./rows-of-account.table.ts";

const linesAPage = 5_000;
const scope = { system: "a person's own data, which is in every organisation of theirs" };

/** What is stored about the signed-in person. What grows with use is read page by page, while it is sent. */
export async function exportOwnData({ database, store }: PersonalDataDeps, { userId }: Identity): Promise<FileAnswer> {
  const { known, data, avatar } = await database.readInTransaction(scope, async (tx) => {
    const found = await findKnown(tx, userId);
    return { known: found, data: await selectOwnData(tx, found), avatar: await findOwnAvatar(tx, found) };
  });
  if (avatar !== null) await requireStored(store, avatar);
  const lines = (select: (tx: Tx, page: LinesPage) => Promise<Line[]>) => everyLine(database, { known, select });
  const entries: ZipEntry[] = [
    { name: "data.json", content: [new TextEncoder().encode(JSON.stringify(data, null, 2))] },
    { name: "calls.jsonl", content: lines(selectOwnCalls) },
    { name: "notes.jsonl", content: lines(selectOwnNotes) },
    { name: "audit-log.jsonl", content: lines(selectOwnAuditEntries) },
    ...(avatar === null ? [] : [{ name: `avatar/${avatar.name}`, content: store.open(avatar.storedName) }]),
  ];
  return { name: "my-data.zip", mediaType: "application/zip", content: streamZip(entries) };
}

async function* everyLine(
  database: Database,
  { known, select }: { known: Known; select: (tx: Tx, page: LinesPage) => Promise<Line[]> },
): AsyncGenerator<Uint8Array> {
  for (let after = 0; ;) {
    const page = { known, after, limit: linesAPage };
    const lines = await database.readInTransaction(scope, (tx) => select(tx, page));
    yield new TextEncoder().encode(lines.map(({ line }) => `${line}\n`).join(""));
    const last = lines.at(-1);
    if (last === undefined || lines.length < linesAPage) return;
    after = last.id;
  }
}
