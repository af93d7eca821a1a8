import { z } from "zod";

export interface Country {
  /** ISO 3166-1 alpha-2. */
  iso: string;
  /** In English. */
  name: string;
  /** With the plus sign. Several countries may share one. */
  dialCode: string;
}

/** Countries in which numbers can be searched for, most popular first. */
const dialCodes = {
  US: "+1",
  CA: "+1",
  GB: "+44",
  DE: "+49",
  FR: "+33",
  IN: "+91",
  JP: "+81",
  AU: "+61",
  AT: "+43",
  BE: "+32",
  BG: "+359",
  BR: "+55",
  CH: "+41",
  CL: "+56",
  CO: "+57",
  CZ: "+420",
  DK: "+45",
  EE: "+372",
  ES: "+34",
  FI: "+358",
  GR: "+30",
  HK: "+852",
  HU: "+36",
  IE: "+353",
  IL: "+972",
  IT: "+39",
  LT: "+370",
  LU: "+352",
  MX: "+52",
  NL: "+31",
  NO: "+47",
  NZ: "+64",
  PL: "+48",
  PT: "+351",
  RO: "+40",
  SE: "+46",
  SG: "+65",
  ZA: "+27",
} as const;

export const defaultCountry = "US";
export const CountryCode = z.enum(Object.keys(dialCodes), "Choose a country.");

let names: Intl.DisplayNames | undefined;
export function countryName(iso: string): string {
  // Created on first use, because it is the slowest part of a page's start.
  names ??= new Intl.DisplayNames(["en"], { type: "region" });
  return names.of(iso) ?? iso;
}

export const countries: readonly Country[] = Object.entries(dialCodes).map(([iso, dialCode]) => ({
  iso,
  dialCode,
  get name() {
    return countryName(iso);
  },
}));
