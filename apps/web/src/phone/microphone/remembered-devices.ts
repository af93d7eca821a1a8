import type { AudioDevice } from "./choose-device.ts";

export interface RememberedDevices {
  microphone: AudioDevice | null;
  speaker: AudioDevice | null;
}

export const noDevices: RememberedDevices = { microphone: null, speaker: null };
const storeName = "choices";

/**
 * Chosen devices are stored in IndexedDB: local storage is only for session tokens. A browser that blocks it forgets
 * them.
 */
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
    return { microphone: deviceIn(stored, "microphone"), speaker: deviceIn(stored, "speaker") };
  } catch {
    return noDevices;
  }
}

export async function rememberDevices(devices: RememberedDevices): Promise<void> {
  try {
    await settled((await openStore("readwrite")).put(devices, "devices"));
  } catch {
    // Private windows may block storage; the choice then lasts for this page.
  }
}

const field = (stored: unknown, name: string): unknown =>
  typeof stored === "object" && stored !== null ? Object.entries(stored).find(([key]) => key === name)?.[1] : undefined;

function deviceIn(stored: unknown, name: string): AudioDevice | null {
  const device = field(stored, name);
  const [id, label] = [field(device, "id"), field(device, "label")];
  return typeof id === "string" && typeof label === "string" ? { id, label } : null;
}
