import { Readable } from "node:stream";
import { Zip, ZipPassThrough } from "fflate";

export interface ZipEntry {
  /** With slashes between folders. */
  name: string;
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * A ZIP file, written as it is read. The entries are stored, not compressed: documents and audio rarely shrink. At most
 * 4 GB, as fflate writes no ZIP64. Names that occur twice are numbered.
 */
export function streamZip(entries: Iterable<ZipEntry>): Readable {
  return Readable.from(chunksOf(entries));
}

async function* chunksOf(entries: Iterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    written.push(chunk);
  });
  const used = new Set<string>();
  for (const { name, content } of entries) {
    const entry = new ZipPassThrough(uniqueName(name, used));
    zip.add(entry);
    for await (const chunk of content) {
      entry.push(chunk);
      yield* written.splice(0);
    }
    entry.push(new Uint8Array(), true);
  }
  zip.end();
  yield* written.splice(0);
}

/** Without what would lead out of the folder that it is unpacked to. */
function uniqueName(name: string, used: Set<string>): string {
  const safe = name.replaceAll(/[\\:*?"<>|\p{Cc}]/gu, "_").replaceAll(/(^|\/)\.+(?=\/|$)/g, "$1_");
  const dot = safe.lastIndexOf(".");
  const at = dot > safe.lastIndexOf("/") ? dot : safe.length;
  let unique = safe;
  for (let n = 2; used.has(unique); n += 1) unique = `${safe.slice(0, at)} (${n})${safe.slice(at)}`;
  used.add(unique);
  return unique;
}
