import { type CarrierNumber, type CarrierNumbers, NumberNotForSale } from "@leadline/adapter-kit/carrier";
import { searchStock } from "./search-stock.ts";
import { findInStock, stockOf } from "./stock.ts";

/** Sells from the stock. What was sold is known until the process ends; who owns what beyond that, Leadline's own table tells. */
export function openNumbers(): CarrierNumbers {
  /** By number: the key it was bought with. */
  const sold = new Map<string, string>();
  return {
    async search({ countryCode, query, limit }) {
      const unsold = stockOf(countryCode).filter(({ number }) => !sold.has(number));
      return searchStock(unsold, query).slice(0, limit);
    },
    async buy({ number, idempotencyKey }): Promise<CarrierNumber> {
      const found = findInStock(number);
      const key = sold.get(number);
      if (!found || (key !== undefined && key !== idempotencyKey)) throw new NumberNotForSale(number);
      sold.set(number, idempotencyKey);
      return found;
    },
    async release(number) {
      sold.delete(number);
    },
  };
}
