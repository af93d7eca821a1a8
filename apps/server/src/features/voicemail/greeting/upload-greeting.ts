import { randomUUID } from "node:crypto";
import { sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { waveFile } from "@leadline/adapter-kit/wave-file";
import { type Greeting, longestGreetingMs } from "@leadline/contract/voicemail";
import { Problem } from "../../../http/problem.ts";
import { invalidInput } from "../../../http/read-input.ts";
import type { Member, ReceivedFile } from "../../../http/route.ts";
import { scopeOf } from "../../../http/scope-of.ts";
import type { Asker } from "../../../threads/open-work-thread.ts";
import { countDaily } from "../../attempts/count-daily.ts";
import { followMessageSound } from "../message-sound.ts";
import type { VoicemailDeps } from "../voicemail-deps.ts";
import { deleteUnusedGreetings, insertGreeting, takeTurnAtVoicemail } from "../voicemail-settings.table.ts";
import { readGreeting } from "./read-greeting.ts";
import { UnusableWave } from "./read-wave.ts";

/** Per person, in all their organisations. */
const maxPerDay = 100;

/**
 * The greeting can then be played, and chosen in the settings. It replaces the last one that was uploaded and not
 * chosen.
 */
export async function uploadGreeting(
  { database, store }: Pick<VoicemailDeps, "database" | "store">,
  { caller, files, gone }: { caller: Member; files: readonly ReceivedFile[]; gone: AbortSignal },
): Promise<Greeting> {
  const [file] = files;
  if (!file) throw invalidInput([{ path: ["file[]"], message: "Choose a WAV file." }]);
  await countDaily(database.withTransaction, "greeting", {
    by: caller.userId,
    most: maxPerDay,
    sentence: `You can upload ${maxPerDay} greetings a day.`,
  });
  const sound = await readSound(file, { by: caller.organisation.id, signal: gone });
  const storedName = store.drawName();
  const handle = await store.openToWrite(storedName, "new");
  try {
    await handle.writeFile(waveFile(sound, sampleRate)).finally(() => handle.close());
  } catch (error) {
    await store.remove(storedName);
    throw error;
  }
  const greeting = {
    id: randomUUID(),
    name: file.name.slice(-255),
    durationMs: Math.round((sound.length * 1000) / sampleRate),
  };
  const organisationId = caller.organisation.id;
  // If this fails, no row refers to the file, and the next sweep deletes it.
  const replaced = await database.withTransaction(scopeOf(caller), async (tx) => {
    await takeTurnAtVoicemail(tx, organisationId);
    const unused = await deleteUnusedGreetings(tx, organisationId);
    await insertGreeting(tx, organisationId, { ...greeting, storedName });
    return unused;
  });
  await Promise.all(replaced.map((name) => store.remove(name).catch(() => {})));
  return greeting;
}

async function readSound({ name, path }: ReceivedFile, asker: Asker): Promise<Int16Array> {
  const refused = (why: string) => new Problem("file-refused", `“${name}” wasn’t uploaded. ${why}`);
  try {
    const sound = await readGreeting({ path, longestMs: longestGreetingMs }, asker);
    const heard = followMessageSound();
    heard.add(sound);
    if (!heard.saysSomething()) throw refused("It’s silent. Record it again, closer to the microphone.");
    return sound;
  } catch (error) {
    throw error instanceof UnusableWave ? refused(error.message) : error;
  }
}
