const maxKept = 1_000;

/** Sets a key of a map that keeps its latest entries only: addresses that keep changing use no more memory. */
export function setLatest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > maxKept && oldest !== undefined) map.delete(oldest);
}
