/** Shown instead of a caller's number. */
export const withheldNumber = "Withheld number";
