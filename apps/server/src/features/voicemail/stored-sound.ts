import { Problem } from "../../http/problem.ts";
import type { FileInParts } from "../../http/route.ts";
import type { FileStore } from "../files/file-store.ts";

/** A stored WAV file. Throws a problem, and changes nothing, if it is missing. */
export async function storedSound(
  store: FileStore,
  { storedName, name }: { storedName: string; name: string },
): Promise<FileInParts> {
  const sizeBytes = await store.sizeOf(storedName).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? lost(error) : error;
  });
  return {
    name,
    mediaType: "audio/wav",
    sizeBytes,
    read: ({ firstByte, lastByte }) => store.open(storedName, { startByte: firstByte, endByte: lastByte }),
  };
}

const lost = (cause: unknown): Problem =>
  new Problem("not-found", "This audio file is missing on the server. Tell the administrator of this server.", {
    cause,
  });
