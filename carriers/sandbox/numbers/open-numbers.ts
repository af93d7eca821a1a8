import { type CarrierNumber, type CarrierNumbers, NumberNotForSale } from "@leadline/adapter-kit/carrier-numbers";
import { searchStock } from "./search-stock.ts";
import { findInStock, stockOf } from "./stock.ts";

/**
 * Sells from the stock. It remembers sales until the process ends; beyond that, Leadline's own table says who owns
 * what.
 */
export function openNumbers(): CarrierNumbers {
  /** By number: the idempotency key of its purchase. */
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
