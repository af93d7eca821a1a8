/** A number that the organisation has shown to be its own, for calls by way of this server; null: of any. */
export interface ProvenNumber {
  number: string;
  server: string | null;
}

/** The number of the settings that callees are to see, and the servers that calls go to. */
export interface ShownNumber {
  /** E.164. */
  number: string;
  /** vouchedFor: it is in a private network of the operator's, where nothing needs to be proven. */
  servers: { name: string; vouchedFor: boolean }[];
}
