/**
 * `[digits after the dial code, place, region]`. A space ends the area code; each x becomes a digit. Where a country has set numbers aside
 * for fiction (US, CA, GB, DE, FR, AU, SE), the digits are of those.
 */
export type Area = readonly [digits: string, place: string, region: string];

type Capability = "voice" | "sms" | "mms" | "fax";

export interface NumberKind {
  /** Without places, for numbers that belong to none. */
  areas: readonly Area[] | string;
  monthlyCostMicros: number;
  /** What every number of the kind can do. */
  always: readonly Capability[];
  /** What only some of them can do besides. */
  some?: readonly Capability[];
  requirement?: string;
}

export interface CountryStock {
  local: NumberKind;
  mobile?: NumberKind;
  tollFree?: NumberKind;
}

export const address = (country: string): string =>
  `${country} asks for an address in the country. The sandbox does not check it.`;
export const localAddress = (country: string): string =>
  `${country} asks for an address in the number’s own area. The sandbox does not check it.`;
export const identity = (country: string): string =>
  `${country} asks for proof of identity and of an address. The sandbox does not check them.`;
export const company = (country: string, register: string): string =>
  `${country} asks for a company registration (${register}) and an address. The sandbox does not check them.`;
