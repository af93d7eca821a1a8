/** A number that the organisation has verified, for calls through this server. Null: through any server. */
export interface VerifiedNumber {
  number: string;
  server: string | null;
}

/** The configured numbers that callees may see, and the servers that calls go to. */
export interface ShownNumber {
  /** E.164. Shown unless the call names another one. Null: the provider's default. */
  number: string | null;
  /** The carrier's other numbers, E.164. */
  others: readonly string[];
  /** vouchedFor: the server is in a private network that the operator allows, where no verification is needed. */
  servers: { name: string; vouchedFor: boolean }[];
}
