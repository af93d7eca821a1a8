/** A provider or PBX whose settings are known: what is left to enter is little. */
export interface CarrierPreset {
  id: string;
  name: string;
  /** provider: its server is known too. */
  of: "provider" | "pbx";
  /** The others keep their defaults. */
  settings: Readonly<Record<string, unknown>>;
  /** Settings that are still asked, in this order. */
  asks: readonly string[];
  /** What the owner does there, and what doesn't work; null if there is nothing to say. */
  note: string | null;
  /** The documentation that the settings were taken from. */
  source: string;
}
