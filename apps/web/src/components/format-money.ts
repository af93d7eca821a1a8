const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Whole cents, rounded down, so that a balance never looks larger than it is. */
export const formatMicros = (micros: number): string => {
  const cents = Math.floor(micros / 10_000);
  return dollars.format(cents / 100).replace("-", "−");
};

const fine = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

/** The cost of calls, where fractions of a cent count: $0.0135, $12.40. */
export const formatCost = (micros: number): string => (micros < 1_000_000 ? fine : dollars).format(micros / 1_000_000);

const exact = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 6 });

/** To the micro, with as many decimals as that takes: $0.02, $1.013334. */
export const formatExactCost = (micros: number): string => exact.format(micros / 1_000_000);

/** The same of any currency, by its ISO 4217 code. */
export const formatInCurrency = ({ micros, currency }: { micros: number; currency: string }): string =>
  currency === "USD" ? formatExactCost(micros) : `${micros / 1_000_000} ${currency}`;

/** For a column with a total: every cost has as many decimals as the finest one needs, $0.858 above $1.200. */
export function alignCosts(all: readonly number[]): (micros: number) => string {
  const needs = (parts: number) => all.some((micros) => micros % parts !== 0);
  const minimumFractionDigits = needs(1_000) ? 4 : needs(10_000) ? 3 : 2;
  const aligned = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", minimumFractionDigits });
  return (micros) => aligned.format(micros / 1_000_000);
}
