export interface CarrierNumber {
  /** E.164. */
  number: string;
  /** A place and its region. Null for a number without one. */
  location: string | null;
  region: string | null;
  capabilities: { voice: boolean; sms: boolean; mms: boolean; fax: boolean };
  monthlyCostMicros: number;
  /** Paid once, at the purchase. Missing: nothing. */
  upfrontCostMicros?: number;
  /** What the country requires before the number may be used, as a sentence. Null if nothing. */
  requirement: string | null;
}

/** The number is taken, or the carrier doesn't sell it. Final, and nothing was bought. */
export class NumberNotForSale extends Error {
  override name = "NumberNotForSale";
}

export interface CarrierNumbers {
  /**
   * Numbers for sale, at most `limit`, in a stable order. Empty for a country the carrier doesn't serve. `query` is
   * digits (in national or international form), an area code or a place. Null returns a mixture.
   */
  search(asked: { countryCode: string; query: string | null; limit: number }): Promise<CarrierNumber[]>;
  /**
   * Idempotent by key. Rejects with NumberNotForSale. After any other rejection it is unknown whether the number was
   * bought, and the key can be sent again.
   */
  buy(order: { number: string; idempotencyKey: string }): Promise<CarrierNumber>;
  /** Releases the number. Succeeds if it is no longer held. */
  release(number: string): Promise<void>;
}
