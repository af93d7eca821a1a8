import type { Call } from "@leadline/contract/calls";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { FileInParts, Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { recordVoicemail } from "../calls/inbound/record-voicemail.ts";
import { storedSound } from "./stored-sound.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";
import { countNew, deleteMessages, findMessage, type KeptMessage, writeHeard } from "./voicemail-messages.table.ts";

interface OfCall {
  caller: Member;
  callSid: string;
}
type Deps = Pick<VoicemailDeps, "database" | "carriers" | "store">;

const noMessage = (): Problem => new Problem("not-found", "This call has no message, or the message has been deleted.");

async function requireMessage(tx: Tx, { caller, callSid }: OfCall): Promise<KeptMessage> {
  const found = await findMessage(tx, { organisationId: caller.organisation.id, callSid });
  if (found === null) throw noMessage();
  return found;
}

export const readNewMessages = ({ database }: Pick<Deps, "database">, caller: Member): Promise<{ count: number }> =>
  database.readAtOnce(scopeOf(caller), async (tx) => ({ count: await countNew(tx, caller.organisation.id) }));

export async function playVoicemail({ database, store }: Deps, asked: OfCall): Promise<FileInParts> {
  const { storedName } = await database.withTransaction(scopeOf(asked.caller), (tx) => requireMessage(tx, asked));
  return storedSound(store, { storedName, name: "message.wav" });
}

/** For the whole organisation: a message is new until one of its people has heard it. */
export async function markVoicemail({ database, carriers }: Deps, asked: OfCall & { heard: boolean }): Promise<Call> {
  return database.withTransaction(scopeOf(asked.caller), async (tx) => {
    await requireMessage(tx, asked);
    await writeHeard(tx, asked.callSid, asked.heard);
    const call = await recordVoicemail(tx, carriers, asked.callSid);
    if (call === null) throw noMessage();
    return call;
  });
}

/** Deletes the row, then the file. A file that can't be deleted now is deleted by the next sweep. */
export async function deleteVoicemail({ database, carriers, store }: Deps, asked: OfCall): Promise<void> {
  const removed = await database.withTransaction(scopeOf(asked.caller), async (tx) => {
    await requireMessage(tx, asked);
    const names = await deleteMessages(tx, [asked.callSid]);
    await recordVoicemail(tx, carriers, asked.callSid);
    return names;
  });
  await Promise.all(removed.map((name) => store.remove(name).catch(() => {})));
}
