import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const getHealth = endpoint({
  method: "GET",
  path: "/health",
  summary: "Whether the database answers",
  access: "public",
  audit: null,
  success: [200, z.object({ status: z.literal("ok") })],
  problems: ["unavailable"],
});
