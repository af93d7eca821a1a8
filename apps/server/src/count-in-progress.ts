/** Lets at most this many of each key be in progress at once, in this process. */
export function countInProgress(most: number) {
  const counts = new Map<string, number>();
  return {
    /** Returns a function to call once it is over. Null if there are too many. */
    begin(key: string): (() => void) | null {
      const others = counts.get(key) ?? 0;
      if (others >= most) return null;
      counts.set(key, others + 1);
      return () => {
        const left = (counts.get(key) ?? 1) - 1;
        if (left === 0) counts.delete(key);
        else counts.set(key, left);
      };
    },
  };
}
