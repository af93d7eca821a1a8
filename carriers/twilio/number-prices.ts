import { ProvisionerError } from "@leadline/adapter-kit/provisioner";
import { z } from "zod";
import type { Api } from "./client.ts";
import { ListPrice } from "./price.ts";

/** As the price list calls it. */
const toType = (named: string): string => named.replaceAll(/[\s_]/g, "-").toLowerCase();

const Prices = z.object({
  price_unit: z.string().nullish(),
  phone_number_prices: z.array(z.object({ number_type: z.string(), current_price: ListPrice })).nullish(),
});

/**
 * By type, in millionths of a US dollar, without the types that have no price. Rejects for an account with another currency,
 * whose prices Leadline would show wrong.
 */
export async function readPrices(api: Pick<Api, "read">, countryCode: string): Promise<Map<string, number>> {
  const url = `https://pricing.twilio.com/v1/PhoneNumbers/Countries/${countryCode}`;
  const { price_unit: unit, phone_number_prices: prices } = await api.read(url, Prices);
  if (unit && unit.toUpperCase() !== "USD")
    throw new ProvisionerError(
      "refused",
      `This account’s prices are in ${unit.toUpperCase()}, and Leadline shows US dollars only. Buy the number in the Twilio Console, then use it here with “Check the account”.`,
    );
  return new Map(
    (prices ?? []).flatMap(({ number_type: named, current_price: price }): [string, number][] =>
      price === null ? [] : [[toType(named), price]],
    ),
  );
}
