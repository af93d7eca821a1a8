/** Null where it is no JSON, as from a proxy that answers in Salesforce's place. */
export function parseLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
