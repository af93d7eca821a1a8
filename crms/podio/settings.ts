import { z } from "zod";

/** The app that Leadline is to this CRM. The sandbox needs neither. */
export const settings = z.object({
  PODIO_CLIENT_ID: z.string().optional(),
  PODIO_CLIENT_SECRET: z.string().optional(),
});
