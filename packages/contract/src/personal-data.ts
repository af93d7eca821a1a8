import { endpoint } from "./endpoint.ts";
import { IdParams } from "./identifiers.ts";

export const exportLeadData = endpoint({
  method: "GET",
  path: "/v1/leads/{id}/personal-data",
  summary: "Export everything stored about a lead, as a ZIP file: data.json, its files, and its voicemail messages",
  access: "admin",
  audit: "lead.personal-data-exported",
  params: IdParams,
  mayTakeMs: 300_000,
  success: [200, "file"],
  problems: ["not-found"],
});
