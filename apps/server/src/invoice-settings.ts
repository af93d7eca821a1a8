import { z } from "zod";

/** The seller on this server, and the tax included in prices. */
export interface Seller {
  /** Name, address and tax number, one per line. Empty if not configured. */
  lines: readonly string[];
  tax: { name: string; percent: number } | null;
}

const invoiceTaxWords = "must be a name and a percentage, such as VAT 19";
/** `VAT 19`, included in the amount paid. */
export const InvoiceTax = z
  .string()
  .regex(/^[^|]{1,20} \d{1,2}(\.\d{1,3})?$/, invoiceTaxWords)
  .transform((given) => {
    const at = given.lastIndexOf(" ");
    return { name: given.slice(0, at).trim(), percent: Number(given.slice(at + 1)) };
  })
  .refine(({ name, percent }) => name !== "" && percent > 0, invoiceTaxWords);

/** The lines are given with | between them. */
export const readSeller = (given: string | undefined, tax: Seller["tax"] | undefined): Seller => ({
  lines: (given ?? "")
    .split("|")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
  tax: tax ?? null,
});
