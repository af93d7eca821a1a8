import { assert, constantFrom, property, string } from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { meQuery } from "../../data/me-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { dialableOf } from "./dialable-characters.ts";
import { countryOf, formatAsTyped, toE164 } from "./format-number.ts";

describe("formatting phone numbers", () => {
  test.each([
    ["2025550100", "(202) 555-0100"],
    ["+12025550100", "+1 202 555 0100"],
    ["+442079460000", "+44 20 7946 0000"],
    ["*67", "*67"],
    ["", ""],
  ])("%s is shown as %s", (typed, shown) => expect(formatAsTyped(typed)).toBe(shown));
  test("no dialable character is ever lost or moved by formatting", () => {
    assert(
      property(string({ unit: constantFrom(..."+0123456789*#"), maxLength: 20 }), (typed) => {
        const dialable = dialableOf(typed);
        expect(dialableOf(formatAsTyped(dialable))).toBe(dialable);
      }),
    );
  });
  test.each([
    ["", "US"],
    ["202", "US"],
    ["+", null],
    ["+1", "US"],
    ["+49", "DE"],
    ["+44", "GB"],
    ["+14165550100", "CA"],
    ["+7", "RU"],
    ["+33 1", "FR"],
  ])("%j belongs to %s", (typed, country) => expect(countryOf(typed)).toBe(country));
  test("a number is sent as E.164, and anything else as typed", () => {
    expect(toE164("(202) 555-0100")).toBe("+12025550100");
    expect(toE164("+44 20 7946 0000")).toBe("+442079460000");
    expect(toE164("12")).toBe("12");
    expect(toE164("1 (202) 555-0100")).toBe("+12025550100");
    expect(toE164("1 (202) 555-010")).toBe("+1202555010");
    expect(toE164("")).toBe("");
  });
});

describe("in an organisation of another country", () => {
  afterEach(() => queryClient.clear());

  test.each([
    ["FR", "0145678901", "+33145678901", "01 45 67 89 01"],
    ["IN", "9876543210", "+919876543210", "98765 43210"],
    ["GB", "02079460000", "+442079460000", "020 7946 0000"],
    ["FR", "+12025550100", "+12025550100", "+1 202 555 0100"],
  ])("%s, %s is %s, shown as %s", (defaultCountry, typed, number, shown) => {
    queryClient.setQueryData(meQuery.queryKey, { activeOrganisation: { id: "o", defaultCountry } } as never);
    expect([toE164(typed), formatAsTyped(typed)]).toEqual([number, shown]);
    expect(countryOf("0")).toBe(defaultCountry);
  });
});
