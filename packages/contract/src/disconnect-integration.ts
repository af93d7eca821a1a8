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
