import { z } from "zod";

/** Leadline's registered app. The sandbox needs neither setting. */
export const settings = z.object({
  PODIO_CLIENT_ID: z.string().optional(),
  PODIO_CLIENT_SECRET: z.string().optional(),
});
