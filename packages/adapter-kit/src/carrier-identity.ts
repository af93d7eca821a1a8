/** What others know a carrier by. Two organisations may not have in common what makes one of them pass for the other. */
export interface CarrierIdentity {
  /** Where its servers are, each in one spelling: addresses, and names. */
  servers: string[];
  /** The servers know us by our address alone: whoever calls them from here calls as this carrier. */
  knownByAddress: boolean;
  /** The port of this machine that it takes; null where any will do. */
  localPort: number | null;
  /** E.164: those that ring here, and those shown to callees. */
  numbers: string[];
  /** A server of its is in a private network of the operator's, where its numbers are shown without proof. */
  vouchedFor: boolean;
}

/**
 * Told what a carrier is known by whenever its servers turn out to be elsewhere; false where that is another organisation's, and
 * then nothing is sent there.
 */
export type ClaimIdentity = (identity: CarrierIdentity) => Promise<boolean>;
