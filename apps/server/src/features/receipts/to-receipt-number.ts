/** Unique on the server, too: the seller is the same for every organisation. */
export const toReceiptNumber = (organisationId: string, number: number): string =>
  `${organisationId.slice(0, 8).toUpperCase()}-${String(number).padStart(4, "0")}`;
