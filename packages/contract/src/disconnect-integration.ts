import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { IdParams } from "./identifiers.ts";
import { Integration } from "./integrations.ts";

export const disconnectIntegration = endpoint({
  method: "POST",
  path: "/v1/integrations/{id}/disconnect",
  summary: "Revoke the access and make the integration inactive; its leads, mapping and waiting calls stay",
  access: "admin",
  audit: "integration.disconnected",
  params: IdParams,
  success: [200, Integration],
  problems: ["not-found"],
});

/** What is lost if the integration is removed. */
export const Unwritten = z.object({ calls: z.int(), leads: z.int().describe("With changes, or to be created there") });
export type Unwritten = z.infer<typeof Unwritten>;

export const countUnwritten = endpoint({
  method: "GET",
  path: "/v1/integrations/{id}/unwritten",
  summary: "Count the calls and leads that aren't in the CRM yet, because they wait or were refused",
  access: "admin",
  audit: null,
  params: IdParams,
  success: [200, Unwritten],
  problems: ["not-found"],
});
