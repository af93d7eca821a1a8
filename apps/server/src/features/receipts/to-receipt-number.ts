/** Unique on the server, because all organisations have the same seller. */
export const toReceiptNumber = (organisationId: string, number: number): string =>
  `${organisationId.slice(0, 8).toUpperCase()}-${String(number).padStart(4, "0")}`;
