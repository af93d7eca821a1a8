/** Works on several items at once, `most` at most, each by the first that is free: a slow item delays only itself. */
export async function forEachAtOnce<Item>(
  items: readonly Item[],
  { most }: { most: number },
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  // Shared: each item is taken once.
  const left = items.values();
  async function takeItems(): Promise<void> {
    for (const item of left) await work(item);
  }
  await Promise.all(Array.from({ length: most }, takeItems));
}
