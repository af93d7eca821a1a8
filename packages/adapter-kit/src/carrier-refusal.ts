/** A SIP server's response to a call that it didn't put through. */
export interface CarrierRefusal {
  /** The SIP status code. */
  status: number;
  /** The reason phrase. */
  reason: string;
  /** The carrier's own headers, which start with x-, in lower case. */
  headers: Record<string, string>;
}
