import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

const Line = (label: string, most: number) =>
  oneLine(z.string().trim().max(most, `Keep the ${label} under ${most} characters.`));

export const BillingDetailsInput = z.object({
  name: Line("name", 120).describe("Who receipts are made out to; empty for the organisation's name"),
  address: z
    .string()
    .trim()
    .max(400, "Keep the address under 400 characters.")
    .refine((text) => text.split("\n").length <= 6, "Use at most 6 lines.")
    .describe("Up to 6 lines"),
  taxNumber: Line("tax number", 40).describe("Such as a VAT number; may be empty"),
});
export type BillingDetails = z.infer<typeof BillingDetailsInput>;

export const getBillingDetails = endpoint({
  method: "GET",
  path: "/v1/billing/details",
  summary: "Read your organisation's billing details on receipts",
  access: "admin",
  audit: null,
  success: [200, BillingDetailsInput],
  problems: [],
});
export const updateBillingDetails = endpoint({
  method: "PUT",
  path: "/v1/billing/details",
  summary: "Change your organisation's billing details on future receipts",
  access: "admin",
  audit: "billing.details-changed",
  body: BillingDetailsInput,
  success: [200, BillingDetailsInput],
  problems: [],
});
export const downloadReceipt = endpoint({
  method: "GET",
  path: "/v1/billing/top-ups/{id}/receipt",
  summary: "Download the receipt of a paid top-up, as PDF",
  access: "admin",
  audit: "top-up.receipt-downloaded",
  params: IdParams,
  success: [200, "file"],
  problems: ["not-found"],
});
export const exportReceipts = endpoint({
  method: "GET",
  path: "/v1/billing/receipts",
  summary: "Download every receipt of your organisation, as a ZIP file of PDFs",
  access: "admin",
  audit: "top-up.receipt-downloaded",
  success: [200, "file"],
  problems: ["not-found"],
});
