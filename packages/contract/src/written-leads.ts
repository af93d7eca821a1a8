import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams } from "./identifiers.ts";
import { CrmService, Integration } from "./integrations.ts";

/** What Leadline writes of a lead. */
export const writtenLeadFields = [
  "firstName",
  "lastName",
  "email",
  "phone",
  "company",
  "jobTitle",
  "nextStep",
  "status",
  "owner",
] as const;

/** Whether a lead's changes were written to its CRM, or the lead was created there. */
export const LeadWriting = z.object({
  state: z.enum(["waiting", "written", "failed"]).describe("failed: it can be retried"),
  service: CrmService,
  creates: z.boolean().describe("The lead isn't in the CRM yet"),
  problem: z.string().nullable().describe("Why it hasn't been written yet, in plain words"),
  conflicts: z
    .array(z.enum(writtenLeadFields))
    .describe(
      "Fields that were changed in the CRM as well, whose value there has replaced the lead's; the timeline has the former one",
    ),
});
export type LeadWriting = z.infer<typeof LeadWriting>;

export const getLeadWriting = endpoint({
  method: "GET",
  path: "/v1/leads/{id}/crm-record",
  summary: "Read whether a lead's changes were written to its CRM",
  access: "analyst",
  audit: null,
  params: IdParams,
  success: [200, z.object({ writing: LeadWriting.nullable().describe("Null: nothing was to be written") })],
  problems: ["not-found"],
});
export const createLeadInCrm = endpoint({
  method: "POST",
  path: "/v1/leads/{id}/crm-record",
  summary: "Create a lead in a CRM; it follows its record there from then on",
  access: "member",
  audit: "lead.created-in-crm",
  params: IdParams,
  body: z.object({ integrationId: Id }),
  success: [201, LeadWriting],
  problems: ["not-found", "integration-not-connected", "source-not-chosen"],
});
export const retryWritingLead = endpoint({
  method: "POST",
  path: "/v1/leads/{id}/crm-record/retry",
  summary: "Retry writing a lead to its CRM, after the CRM has refused it",
  access: "member",
  audit: "lead.write-retried",
  params: IdParams,
  success: [200, LeadWriting],
  problems: ["not-found"],
});
export const setSendsChanges = endpoint({
  method: "PUT",
  path: "/v1/integrations/{id}/sending",
  summary: "Choose whether changes of leads are written to the CRM",
  access: "admin",
  audit: "integration.sending-changed",
  params: IdParams,
  body: z.object({ sendsChanges: z.boolean() }),
  success: [200, Integration],
  problems: ["not-found"],
});
