import { z } from "zod";

/** The app that Leadline is to this CRM. The sandbox needs neither. */
export const settings = z.object({
  HUBSPOT_CLIENT_ID: z.string().optional(),
  HUBSPOT_CLIENT_SECRET: z.string().optional(),
});
