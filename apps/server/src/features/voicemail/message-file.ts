import { sampleRate } from "@leadline/adapter-kit/rtp/g711";
import { waveHead } from "@leadline/adapter-kit/wave-file";
import type { FileStore } from "../files/file-store.ts";
import { followMessageSound } from "./message-sound.ts";

const headBytes = 44;
const bytesPerSample = 2;
const samplesOf = (bytes: Buffer): Int16Array =>
  Int16Array.from({ length: Math.floor(bytes.length / bytesPerSample) }, (_, at) =>
    bytes.readInt16LE(at * bytesPerSample),
  );

export interface MessageFile {
  /** Appended audio survives a crash. Rejects if the disk refuses it, and so does every call after that. */
  append(samples: Int16Array): Promise<void>;
  /** Complete once it resolves, to its length in ms, or null if there is nothing to hear. */
  finish(): Promise<number | null>;
  close(): Promise<void>;
}

/** A WAV file that grows during the recording. `finish` writes its length into the header. */
export async function createMessageFile(store: FileStore, storedName: string): Promise<MessageFile> {
  const handle = await store.openToWrite(storedName, "new");
  await handle.write(waveHead({ sampleCount: 0, sampleRate }), 0, headBytes, 0).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  const sound = followMessageSound();
  let written = 0;
  let writing = Promise.resolve();
  return {
    append(samples) {
      const before = writing;
      writing = (async () => {
        await before;
        const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
        await writeAll(handle, bytes, headBytes + written * bytesPerSample);
        written += samples.length;
        sound.add(samples);
      })();
      return writing;
    },
    async finish() {
      // What was written before the disk failed is a message too.
      await writing.catch(() => {});
      if (!sound.saysSomething()) return null;
      await encrypt(handle, sound.keptSamples());
      return toMs(sound.keptSamples());
    },
    close: () => handle.close(),
  };
}

type Handle = Awaited<ReturnType<FileStore["openToWrite"]>>;

async function writeAll(handle: Handle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

async function encrypt(handle: Handle, sampleCount: number): Promise<void> {
  await handle.truncate(headBytes + sampleCount * bytesPerSample);
  await handle.write(waveHead({ sampleCount, sampleRate }), 0, headBytes, 0);
  await handle.sync();
}

const toMs = (samples: number): number => Math.round((samples * 1000) / sampleRate);

/** Finishes a killed process's file like `finish`. Rejects, and changes nothing, if it can't be read or written. */
export async function finishMessageFile(store: FileStore, storedName: string): Promise<number | null> {
  const sound = followMessageSound();
  sound.add(samplesOf((await store.read(storedName)).subarray(headBytes)));
  if (!sound.saysSomething()) return null;
  const handle = await store.openToWrite(storedName, "existing");
  try {
    await encrypt(handle, sound.keptSamples());
  } finally {
    await handle.close();
  }
  return toMs(sound.keptSamples());
}
