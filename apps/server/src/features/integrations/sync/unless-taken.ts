/** Thrown in a transaction to roll it back when another worker has already processed the same page. */
export class TakenByAnother extends Error {}

/** Returns null if another worker was first. */
export async function unlessTaken<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TakenByAnother) return null;
    throw error;
  }
}
