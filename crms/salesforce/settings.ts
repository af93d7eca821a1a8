import { z } from "zod";

/** The External Client App that Leadline is to this CRM. The sandbox needs neither. */
export const settings = z.object({
  SALESFORCE_CLIENT_ID: z.string().optional(),
  /** An app may be set up to need none, because PKCE proves who asks. */
  SALESFORCE_CLIENT_SECRET: z.string().optional(),
  /** With at least so many leads, a first load asks for a query job. */
  SALESFORCE_BULK_FROM: z
    .string()
    .regex(/^\d{1,9}$/, "must be a whole number of leads")
    .transform(Number)
    .optional(),
});
