/** What identifies a carrier to others. No two organisations may share anything that would let one pass for the other. */
export interface CarrierIdentity {
  /** Its servers' addresses and names, each in one canonical spelling. */
  servers: string[];
  /** The servers authenticate us by our IP address only, so every call from here is this carrier's. */
  knownByAddress: boolean;
  /** The local port it uses. Null: any. */
  localPort: number | null;
  /** E.164: the numbers that ring here, and those shown to callees. */
  numbers: string[];
  /** One of its servers is in a private network that the operator allows, where numbers are shown without verification. */
  vouchedFor: boolean;
}

/**
 * Called with the carrier's identity whenever its servers' addresses change. Resolves to false if another organisation
 * has that identity, and then nothing is sent there.
 */
export type ClaimIdentity = (identity: CarrierIdentity) => Promise<boolean>;
