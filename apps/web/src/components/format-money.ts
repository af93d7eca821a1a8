const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Whole cents, rounded down, so that a balance never looks larger than it is. */
export const formatMicros = (micros: number): string => {
  const cents = Math.floor(micros / 10_000);
  return dollars.format(cents / 100).replace("-", "−");
};
