/** A provider or PBX with known settings, so that little is left to enter. */
export interface CarrierPreset {
  id: string;
  name: string;
  /** provider: the server is known too. */
  of: "provider" | "pbx";
  /** Other settings keep their defaults. */
  settings: Readonly<Record<string, unknown>>;
  /** The settings to ask for, in this order. */
  asks: readonly string[];
  /** What the owner does there, and what doesn't work; null if there is nothing to say. */
  note: string | null;
  /** The documentation that the settings were taken from. */
  source: string;
}
