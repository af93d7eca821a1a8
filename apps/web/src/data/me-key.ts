/** Apart from its query, for the client that the query asks through. */
export const meKey = ["me"] as const;
