import { open } from "node:fs/promises";
import type { AcceptedEnding } from "@leadline/contract/files";
import { acceptedEndings } from "@leadline/contract/files";
import { Problem } from "../../http/problem.ts";

interface Kind {
  mediaType: string;
  /** Whether the file's first bytes match this type. */
  begins(head: Buffer): boolean;
}

const at =
  (offset: number, ...signatures: string[]) =>
  (head: Buffer) =>
    signatures.some((signature) => head.subarray(offset).toString("latin1").startsWith(signature));
const riff = (form: string) => (head: Buffer) => at(0, "RIFF")(head) && at(8, form)(head);
const zip = at(0, "PK\x03\x04");
/** Text contains no control characters other than tab, line feed, form feed and carriage return. */
const text = (head: Buffer) =>
  at(0, "\xff\xfe", "\xfe\xff")(head) || !head.some((byte) => byte < 32 && ![9, 10, 12, 13].includes(byte));
const jpeg: Kind = { mediaType: "image/jpeg", begins: at(0, "\xff\xd8\xff") };
const office = (form: string): Kind => ({
  mediaType: `application/vnd.openxmlformats-officedocument.${form}`,
  begins: zip,
});

/** The first bytes of each type: Garfinkel and others, "File signatures"; RFC 2083, 9639, 7845. */
const kinds = {
  pdf: { mediaType: "application/pdf", begins: at(0, "%PDF-") },
  png: { mediaType: "image/png", begins: at(0, "\x89PNG\r\n\x1a\n") },
  jpg: jpeg,
  jpeg,
  gif: { mediaType: "image/gif", begins: at(0, "GIF87a", "GIF89a") },
  webp: { mediaType: "image/webp", begins: riff("WEBP") },
  txt: { mediaType: "text/plain; charset=utf-8", begins: text },
  csv: { mediaType: "text/csv; charset=utf-8", begins: text },
  docx: office("wordprocessingml.document"),
  xlsx: office("spreadsheetml.sheet"),
  pptx: office("presentationml.presentation"),
  odt: { mediaType: "application/vnd.oasis.opendocument.text", begins: zip },
  ods: { mediaType: "application/vnd.oasis.opendocument.spreadsheet", begins: zip },
  mp3: { mediaType: "audio/mpeg", begins: at(0, "ID3", "\xff\xfb", "\xff\xf3", "\xff\xf2") },
  wav: { mediaType: "audio/wav", begins: riff("WAVE") },
  m4a: { mediaType: "audio/mp4", begins: at(4, "ftyp") },
  ogg: { mediaType: "audio/ogg", begins: at(0, "OggS") },
} as const satisfies Record<AcceptedEnding, Kind>;

/** The media type of the file at `path`, if its extension and first bytes agree on an accepted one. */
export async function recogniseFile(file: { name: string; path: string; sizeBytes: number }): Promise<string> {
  const ending = endingOf(file.name);
  if (ending === undefined) throw refused(file.name, `Supported formats: ${acceptedEndings.join(", ")}.`);
  if (file.sizeBytes === 0) throw refused(file.name, "It is empty.");
  const kind = kinds[ending];
  if (!kind.begins(await readHead(file.path)))
    throw refused(file.name, `Its content isn’t a .${ending} file. Save it in that format and try again.`);
  return kind.mediaType;
}

function endingOf(name: string): AcceptedEnding | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  return acceptedEndings.find((accepted) => accepted === ending);
}

const refused = (name: string, why: string): Problem =>
  new Problem("file-refused", `“${name}” wasn’t uploaded. ${why}`);

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
