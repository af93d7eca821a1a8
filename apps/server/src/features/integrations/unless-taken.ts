/** Rolls a transaction back whose page, or whose place in it, another worker was first with. */
export class TakenByAnother extends Error {}

/** Null where another worker was first. */
export async function unlessTaken<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof TakenByAnother) return null;
    throw error;
  }
}
