import { Readable } from "node:stream";
import { Problem } from "../../../http/problem.ts";
import type { FileInParts, Member } from "../../../http/route.ts";
import { scopeOf } from "../../../http/scope-of.ts";
import { storedSound } from "../stored-sound.ts";
import type { VoicemailDeps } from "../voicemail-deps.ts";
import { selectGreetings } from "../voicemail-settings.table.ts";
import { defaultGreetingAsWave } from "./greeting-sound.ts";

export async function playGreeting(
  { database, store }: Pick<VoicemailDeps, "database" | "store">,
  { caller, greetingId }: { caller: Member; greetingId: string },
): Promise<FileInParts> {
  if (greetingId === "default")
    return {
      name: "greeting.wav",
      mediaType: "audio/wav",
      sizeBytes: defaultGreetingAsWave.length,
      read: ({ firstByte, lastByte }) => Readable.from([defaultGreetingAsWave.subarray(firstByte, lastByte + 1)]),
    };
  const organisationId = caller.organisation.id;
  const greetings = await database.withTransaction(scopeOf(caller), (tx) => selectGreetings(tx, organisationId));
  const found = greetings.find(({ id }) => id === greetingId);
  if (!found) throw new Problem("not-found", "Greeting not found.");
  return storedSound(store, { storedName: found.storedName, name: "greeting.wav" });
}
