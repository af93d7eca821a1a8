/** Stands where the number of a caller would. */
export const withheldNumber = "Withheld number";
