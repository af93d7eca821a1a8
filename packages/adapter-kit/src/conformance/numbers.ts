import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { type CarrierNumber, type CarrierNumbers, NumberNotForSale } from "../carrier-numbers.ts";

export interface NumbersConformance {
  /** ISO 3166-1 codes of countries that it sells numbers in. */
  countries: readonly string[];
  /** A country that it has no numbers in. */
  unknownCountry: string;
}

/** Additional tests for a carrier that sells numbers; each test buys a number and releases it. */
export function describeNumbersConformance(
  opened: () => CarrierNumbers | undefined,
  { countries, unknownCountry }: NumbersConformance,
): void {
  describe("selling numbers", () => {
    const countryCode = countries[0] ?? "";
    let numbers: CarrierNumbers;
    beforeAll(() => {
      const sells = opened();
      if (!sells) throw new Error("The carrier sells no numbers.");
      numbers = sells;
    });
    const search = (query: string | null = null) => numbers.search({ countryCode, query, limit: 40 });
    const anyNumber = async (): Promise<CarrierNumber> => {
      const [first] = await search();
      if (!first) throw new Error(`Nothing is for sale in ${countryCode}.`);
      return first;
    };
    const isForSale = async (number: string): Promise<boolean> =>
      (await search(number)).some((offered) => offered.number === number);

    it.each(countries)(
      "finds numbers of %s, each once, in E.164, with a price and their capabilities",
      async (country) => {
        const found = await numbers.search({ countryCode: country, query: null, limit: 40 });
        expect(found.length).toBeGreaterThan(0);
        expect(new Set(found.map(({ number }) => number)).size).toBe(found.length);
        for (const { number, location, region, capabilities, monthlyCostMicros, requirement } of found) {
          expect(number).toMatch(/^\+[1-9]\d{6,14}$/);
          expect(Object.keys(capabilities).toSorted()).toEqual(["fax", "mms", "sms", "voice"]);
          expect(Object.values(capabilities)).toContain(true);
          expect(Number.isSafeInteger(monthlyCostMicros) && monthlyCostMicros > 0).toBe(true);
          for (const text of [location, region, requirement]) expect(text).not.toBe("");
        }
      },
    );

    it("finds nothing in a country it doesn't serve", async () => {
      expect(await numbers.search({ countryCode: unknownCountry, query: null, limit: 40 })).toEqual([]);
    });

    it("finds by digits in international notation, and nothing if they match nothing", async () => {
      const { number } = await anyNumber();
      for (const query of [number, number.slice(0, -2)])
        for (const found of await search(query)) expect(found.number).toContain(query);
      expect(await isForSale(number)).toBe(true);
      expect(await search("00000000000000")).toEqual([]);
    });

    it("finds more if more are requested, starting with the same ones", async () => {
      const [few, more] = [await numbers.search({ countryCode, query: null, limit: 2 }), await search()];
      expect(few).toEqual(more.slice(0, 2));
      expect(more.length).toBeGreaterThan(2);
    });

    it("finds by place", async () => {
      const located = (await search()).find(({ location }) => location !== null);
      const found = await search(located?.location ?? "");
      expect(found).toContainEqual(located);
      for (const { location, region } of found) expect(`${location} ${region}`).toContain(located?.location);
    });

    it("sells a number as offered, and then no longer offers it", async () => {
      const offered = await anyNumber();
      const bought = await numbers.buy({ number: offered.number, idempotencyKey: randomUUID() });
      expect(bought).toEqual(offered);
      expect(await isForSale(offered.number)).toBe(false);
      await numbers.release(offered.number);
    });

    it("returns the same purchase for the same key, however often and concurrently", async () => {
      const { number } = await anyNumber();
      const order = { number, idempotencyKey: randomUUID() };
      const [first, ...again] = await Promise.all([numbers.buy(order), numbers.buy(order), numbers.buy(order)]);
      expect([...again, await numbers.buy(order)]).toEqual([first, first, first]);
      await numbers.release(number);
    });

    it("refuses a number that is taken, and one that it never sold", async () => {
      const { number } = await anyNumber();
      await numbers.buy({ number, idempotencyKey: randomUUID() });
      for (const wanted of [number, "+8835100000000"]) {
        const refused = numbers.buy({ number: wanted, idempotencyKey: randomUUID() });
        await expect(refused).rejects.toBeInstanceOf(NumberNotForSale);
      }
      await numbers.release(number);
    });

    it("releases a number, idempotently", async () => {
      const { number } = await anyNumber();
      await numbers.buy({ number, idempotencyKey: randomUUID() });
      await numbers.release(number);
      await numbers.release(number);
      expect(await isForSale(number)).toBe(true);
    });
  });
}
