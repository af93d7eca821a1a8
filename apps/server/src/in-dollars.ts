const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 6 });

/** "$12.50"; to the micro if it isn't a whole number of cents. */
export const inDollars = (micros: number): string => dollars.format(micros / 1_000_000).replace("-", "−");
