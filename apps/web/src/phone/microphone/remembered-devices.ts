export interface RememberedDevices {
  microphoneId: string | null;
  speakerId: string | null;
}

const noDevices: RememberedDevices = { microphoneId: null, speakerId: null };
const storeName = "choices";

/** Chosen devices live in IndexedDB: local storage is for session tokens alone. A browser that refuses forgets them. */
async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open("leadline-phone", 1);
  opening.addEventListener("upgradeneeded", () => opening.result.createObjectStore(storeName));
  await settled(opening);
  const database = opening.result;
  const transaction = database.transaction(storeName, mode);
  transaction.addEventListener("complete", () => database.close());
  return transaction.objectStore(storeName);
}

function settled(request: IDBRequest): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  request.addEventListener("success", () => resolve());
  request.addEventListener("error", () => reject(request.error ?? new Error("IndexedDB failed.")));
  return promise;
}

export async function recallDevices(): Promise<RememberedDevices> {
  try {
    const reading = (await openStore("readonly")).get("devices");
    await settled(reading);
    const stored: unknown = reading.result;
    return {
      microphoneId: stringOf(stored, "microphoneId"),
      speakerId: stringOf(stored, "speakerId"),
    };
  } catch {
    return noDevices;
  }
}

export async function rememberDevices(devices: RememberedDevices): Promise<void> {
  try {
    await settled((await openStore("readwrite")).put(devices, "devices"));
  } catch {
    // Private windows may refuse; the choice then holds for this page.
  }
}

function stringOf(stored: unknown, key: string): string | null {
  if (typeof stored !== "object" || stored === null) return null;
  const value: unknown = Object.entries(stored).find(([name]) => name === key)?.[1];
  return typeof value === "string" ? value : null;
}
