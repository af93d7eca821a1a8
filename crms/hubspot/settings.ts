import { z } from "zod";

/** Leadline's registered app. The sandbox needs neither setting. */
export const settings = z.object({
  HUBSPOT_CLIENT_ID: z.string().optional(),
  HUBSPOT_CLIENT_SECRET: z.string().optional(),
});
