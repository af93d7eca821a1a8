/** Listeners, in the order of subscription. */
export function createListeners<News extends unknown[] = []>() {
  const listeners = new Set<(...news: News) => void>();
  return {
    /** Returns an unsubscribe function. */
    subscribe(listener: (...news: News) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify(...news: News): void {
      for (const listener of listeners) listener(...news);
    },
  };
}
