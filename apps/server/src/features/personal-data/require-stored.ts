import { Problem } from "../../http/problem.ts";
import type { FileStore } from "../files/file-store.ts";

/** An incomplete export would be taken for a complete one. */
export async function requireStored(
  store: Pick<FileStore, "sizeOf">,
  { storedName, name }: { storedName: string; name: string },
): Promise<void> {
  await store.sizeOf(storedName).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") throw cause;
    throw new Problem("not-found", `${name} is missing on the server. Tell the administrator of this server.`, {
      cause,
    });
  });
}
