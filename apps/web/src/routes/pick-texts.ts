/** Picks the named texts from an address's query and drops everything else. */
export function pickTexts<K extends string>(
  given: Record<string, unknown>,
  names: readonly K[],
): { [P in K]?: string } {
  const texts: { [P in K]?: string } = {};
  for (const name of names) {
    const value = given[name];
    if (typeof value === "string") texts[name] = value;
  }
  return texts;
}
