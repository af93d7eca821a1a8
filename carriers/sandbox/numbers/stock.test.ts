import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { describe, expect, test } from "vitest";
import { callees } from "../callees.ts";
import { countriesServed } from "./countries-served.ts";
import { searchStock } from "./search-stock.ts";
import { stockOf } from "./stock.ts";

describe("the stock", () => {
  test.each([...countriesServed.keys()])(
    "of %s holds valid numbers of that country, in several places or of several types",
    (country) => {
      const stock = stockOf(country);
      expect(stock.length).toBeGreaterThanOrEqual(60);
      for (const { number } of stock) {
        const parsed = parsePhoneNumberFromString(number);
        expect({ number, valid: parsed?.isValid(), country: parsed?.country }).toEqual({
          number,
          valid: true,
          country,
        });
        expect(callees).not.toHaveProperty(number);
      }
      expect(new Set(stock.map(({ number }) => number.slice(0, 8))).size).toBeGreaterThanOrEqual(3);
    },
  );

  test("starts with a different place in every row", () => {
    expect(
      new Set(
        stockOf("US")
          .slice(0, 12)
          .map(({ location }) => location),
      ).size,
    ).toBe(12);
  });
});

describe("searching the stock", () => {
  const numbers = (country: string, query: string) => searchStock(stockOf(country), query);
  const places = (country: string, query: string) => [
    ...new Set(numbers(country, query).map(({ location }) => location)),
  ];

  test("prefers an area code to digits in the middle", () => {
    expect(numbers("US", "415")[0]?.location).toBe("San Francisco");
    expect(numbers("US", "(415)")[0]?.location).toBe("San Francisco");
    expect(numbers("US", "+1 415").every(({ number }) => number.startsWith("+1415"))).toBe(true);
  });

  test("accepts an area code in national notation", () => {
    expect(places("GB", "020")).toContain("London");
    expect(numbers("GB", "0161")[0]?.location).toBe("Manchester");
    expect(numbers("DE", "030 2")[0]?.location).toBe("Berlin");
  });

  test("finds a place or a region, with or without its accents", () => {
    expect(places("BR", "sao paulo")).toEqual(["São Paulo"]);
    expect(places("PL", "lodz")).toEqual(["Łódź"]);
    expect(places("GB", "scotland").toSorted()).toEqual(["Edinburgh", "Glasgow"]);
    expect(places("CA", "st. john's")).toEqual(["St. John’s"]);
    expect(places("US", "nowhere")).toEqual([]);
  });

  test("finds nothing for punctuation alone", () => {
    expect(numbers("US", "--")).toEqual([]);
  });
});
