/** What a carrier's side said of a call that it did not put through. */
export interface CarrierRefusal {
  /** Of SIP. */
  status: number;
  /** In the carrier's own words. */
  reason: string;
  /** Of the carrier's own, in lower case: those that begin with x-. */
  headers: Record<string, string>;
}
