import { createSealer } from "../seal-secrets.ts";
import { readSecrets } from "../secrets.ts";
import { asSuperuser } from "./own-database.ts";

/** The snapshot in a call's row, which is encrypted with the secret key. Throws while there is none. */
export async function readCallSnapshot(callSid: string, { database, dataDir }: { database: string; dataDir: string }) {
  const [row] = await asSuperuser([`select remembered from calls where call_sid = '${callSid}'`], database);
  const sealer = createSealer(readSecrets({ secretKey: null, dataDir }), "remembered-calls");
  return JSON.parse(sealer.open(String(row?.["remembered"]), callSid));
}
