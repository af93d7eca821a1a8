import { expect, test } from "vitest";
import { countryOfLanguage } from "./country-of-language.ts";

test("the browser's language determines the default country of numbers", () => {
  const languages = ["de-AT", "de", "en-GB", "en", "fr-CA", "en-AQ"];
  expect(languages.map(countryOfLanguage)).toEqual(["AT", "DE", "GB", "US", "CA", undefined]);
});

test("an invalid language tag yields no country and doesn't throw", () => {
  expect(["en-US@posix", "", "C"].map(countryOfLanguage)).toEqual([undefined, undefined, undefined]);
});
