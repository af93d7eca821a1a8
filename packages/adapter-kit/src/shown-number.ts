/** A number that the organisation has shown to be its own, for calls by way of this server; null: of any. */
export interface ProvenNumber {
  number: string;
  server: string | null;
}

/** The numbers of the settings that callees may see, and the servers that calls go to. */
export interface ShownNumber {
  /** E.164: the one that is shown unless a call names another; null leaves it to the provider. */
  number: string | null;
  /** The carrier's further numbers, as E.164. */
  others: readonly string[];
  /** vouchedFor: it is in a private network of the operator's, where nothing needs to be proven. */
  servers: { name: string; vouchedFor: boolean }[];
}
