import { z } from "zod";
import { endpoint } from "./endpoint.ts";

export const getHealth = endpoint({
  method: "GET",
  path: "/health",
  summary: "Check whether the database responds",
  access: "public",
  audit: null,
  success: [200, z.object({ status: z.literal("ok") })],
  problems: ["unavailable"],
});
