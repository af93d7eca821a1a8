/** Separate from its query, for the client that the query uses. */
export const meKey = ["me"] as const;
