import { sql } from "kysely";

/** An organisation's own carrier; the price is the one known when its calls were last asked about. */
export interface CarrierPrice {
  id: string;
  pricePerMinute: number;
}

interface PricedCall {
  organisationId: string;
  /** Null: the installation's carrier, whose calls cost nothing. */
  connection: CarrierPrice | null;
}

/** What stands at this moment, whichever process has changed it; of a carrier removed just now, what it was. */
export const priceNow = ({ organisationId, connection }: PricedCall) =>
  connection === null
    ? 0
    : sql<number>`coalesce((
        select price_per_minute from carriers
        where carriers.organisation_id = ${organisationId} and carriers.id = ${connection.id}
      ), ${connection.pricePerMinute})`;
