import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { CrmService } from "./integrations.ts";

export const receiveCrmWebhook = endpoint({
  method: "POST",
  path: "/v1/crm-webhooks/{service}",
  summary: "Receive a CRM's reports of changed leads; a verified report triggers a sync of those leads",
  access: "public",
  audit: null,
  params: z.object({ service: CrmService }),
  query: z.object({
    key: z
      .string()
      .max(200)
      .optional()
      .describe(
        "Identifies an integration and proves that the caller knows its address, for a CRM that doesn't sign its reports",
      ),
  }),
  bytes: true,
  success: [204, null],
  problems: ["not-found", "webhook-refused", "crm-not-available"],
});
