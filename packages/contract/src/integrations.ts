import { z } from "zod";
import { CrmField, CrmFieldMapping, CrmMapping, CrmMappingInput, CrmSource } from "./crm-mapping.ts";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

const selectOne = "Please select a service.";
/** A CRM's id. Which there are is up to the server: see listCrmServices. */
export const CrmService = z
  .string(selectOne)
  .max(40, selectOne)
  .regex(/^[a-z][a-z0-9-]+$/, selectOne);

/** The specification gives this CRM's login its own routes, and asks for its domain. */
export const specifiedCrm = "salesforce";

export const CrmServiceDescription = z.object({
  service: CrmService,
  name: z.string(),
  notRegistered: z
    .string()
    .nullable()
    .describe("What the server's administrator must set before more than the sandbox can be added; null if nothing"),
  workspaceField: z
    .object({
      label: z.string(),
      help: z.string().describe("Where to find it"),
      minLength: z.int(),
      missing: z.string().describe("The error if it is shorter"),
    })
    .nullable()
    .describe("What to ask for as the workspaceDomain; null if it needs none"),
  deletions: z.boolean().describe("Whether it reports deleted leads"),
  writingHelp: z.string().describe("What to know before changes of leads are written to it"),
  choosesSource: z.boolean().describe("Whether the source of leads must be chosen before the first sync"),
  sandboxDomain: z
    .string()
    .nullable()
    .describe("A workspace domain that selects the built-in sandbox CRM; null without one"),
});
export type CrmServiceDescription = z.infer<typeof CrmServiceDescription>;

export const SyncRun = z.object({
  id: Id,
  status: z.enum(["queued", "running", "completed", "failed"]),
  scheduled: z.boolean().optional().describe("Started by the schedule, not by a person"),
  comparesAll: z
    .boolean()
    .optional()
    .describe("Reads all leads and removes those that are no longer in the CRM; runs weekly"),
  total: z.int().nullable().describe("How many records the run will read, if the CRM reports it"),
  read: z.int().describe("Records read so far"),
  created: z.int(),
  updated: z.int(),
  deleted: z.int(),
  kept: z
    .int()
    .optional()
    .describe(
      "Leads deleted in the CRM that stay here, detached, because they have notes, files, a callback day or calls",
    ),
  failed: z.int().describe("Records that could not become leads"),
  problem: z.string().nullable().describe("Why it failed, or why it waits, for a rep"),
  retryAt: Timestamp.nullable().describe("When a waiting run continues"),
  createdAt: Timestamp,
  endedAt: Timestamp.nullable(),
});
export type SyncRun = z.infer<typeof SyncRun>;

/** Per run. */
export const maxListedLeftOut = 500;
export const SyncRunDetails = SyncRun.extend({
  integration: z.object({ id: Id, label: z.string(), service: CrmService }),
  leftOut: z
    .array(
      z.object({
        externalId: z.string(),
        message: z.string().describe("Why it could not become a lead, for a rep"),
        url: z.string().nullable().describe("The record in the CRM"),
      }),
    )
    .describe(`The first ${maxListedLeftOut} of those that failed`),
});
export type SyncRunDetails = z.infer<typeof SyncRunDetails>;

export const SyncProgress = SyncRun.extend({ integrationId: Id });
export type SyncProgress = z.infer<typeof SyncProgress>;

export const RequestLimit = z.object({
  left: z.int(),
  most: z.int(),
  per: z.enum(["day", "hour"]),
  readAt: Timestamp.describe("When the CRM reported it"),
});
export type RequestLimit = z.infer<typeof RequestLimit>;

export const Integration = z.object({
  id: Id,
  label: z.string(),
  service: CrmService,
  workspaceDomain: z.string().nullable(),
  status: z.enum(["inactive", "active"]),
  problem: z.string().nullable().describe("Why an active integration must be reconnected; null if it works"),
  mapping: CrmMapping.optional().describe("Missing until one is saved; a CRM with one kind of lead has a default"),
  sendsChanges: z.boolean().describe("Changes of leads in Leadline are written to the CRM"),
  lastSync: SyncRun.nullable(),
  requestLimit: RequestLimit.optional().describe(
    "How many requests the CRM still accepts from the connected account; missing if it doesn't say",
  ),
});
export type Integration = z.infer<typeof Integration>;

const Label = oneLine(
  z.string().trim().min(2, "Label must be at least 2 characters.").max(100, "Keep the label under 100 characters."),
);

export const CreateIntegrationInput = z
  .object({
    service: CrmService,
    label: Label,
    workspaceDomain: z.string().trim().max(253, "Keep the domain under 253 characters.").nullish(),
  })
  .refine((input) => input.service !== specifiedCrm || (input.workspaceDomain ?? "").length >= 5, {
    path: ["workspaceDomain"],
    message: "Workspace domain is required.",
    // So that its message is shown along with the other fields'.
    when: ({ value }) => typeof value === "object" && value !== null,
  });
export const UpdateIntegrationInput = z.object({ label: Label });

export const listCrmServices = endpoint({
  method: "GET",
  path: "/v1/integrations/services",
  summary: "List the CRMs that can be integrated, with the settings of each",
  access: "analyst",
  audit: null,
  success: [200, z.array(CrmServiceDescription)],
  problems: [],
});
export const listIntegrations = endpoint({
  method: "GET",
  path: "/v1/integrations",
  summary: "List the organisation's CRM integrations",
  access: "analyst",
  audit: null,
  success: [200, z.array(Integration)],
  problems: [],
});
export const createIntegration = endpoint({
  method: "POST",
  path: "/v1/integrations",
  summary: "Add a CRM integration, not yet connected",
  access: "admin",
  audit: "integration.created",
  body: CreateIntegrationInput,
  success: [201, Integration],
  problems: ["workspace-domain-refused", "crm-not-available", "quota-reached"],
});
export const updateIntegration = endpoint({
  method: "PUT",
  path: "/v1/integrations/{id}",
  summary: "Rename an integration",
  access: "admin",
  audit: "integration.updated",
  params: IdParams,
  body: UpdateIntegrationInput,
  success: [200, Integration],
  problems: ["not-found"],
});
export const removeIntegration = endpoint({
  method: "DELETE",
  path: "/v1/integrations/{id}",
  summary: "Revoke the access and remove the integration; its leads stay",
  access: "admin",
  audit: "integration.removed",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});
const crmProblems = [
  "not-found",
  "integration-not-connected",
  "authorisation-refused",
  "crm-unreachable",
  "crm-not-available",
] as const;
export const listCrmSources = endpoint({
  method: "GET",
  path: "/v1/integrations/{id}/sources",
  summary: "List the sources of leads in the CRM",
  access: "admin",
  audit: null,
  params: IdParams,
  success: [200, z.array(CrmSource)],
  problems: crmProblems,
});
export const describeCrmSource = endpoint({
  method: "GET",
  path: "/v1/integrations/{id}/sources/{source}",
  summary: "Read the fields of a source, with the default or suggested mapping",
  access: "admin",
  audit: null,
  params: IdParams.extend({ source: z.string().max(200, "That is too long for a source.") }),
  success: [200, z.object({ fields: z.array(CrmField), suggested: CrmFieldMapping })],
  problems: crmProblems,
});
export const saveCrmMapping = endpoint({
  method: "PUT",
  path: "/v1/integrations/{id}/mapping",
  summary: "Save the source and field mapping; the next sync reads everything again",
  access: "admin",
  audit: "integration.mapped",
  params: IdParams,
  body: CrmMappingInput,
  success: [200, Integration],
  problems: [...crmProblems, "source-not-chosen", "already-connected"],
});
export const syncIntegration = endpoint({
  method: "POST",
  path: "/v1/integrations/{id}/sync",
  summary: "Start a sync of leads; if one is running, it is returned",
  access: "member",
  audit: "integration.sync-started",
  params: IdParams,
  success: [201, SyncRun],
  problems: ["not-found", "integration-not-connected", "source-not-chosen"],
});
export const listSyncRuns = endpoint({
  method: "GET",
  path: "/v1/integrations/{id}/syncs",
  summary: "List the latest runs of an integration, newest first",
  access: "analyst",
  audit: null,
  params: IdParams,
  success: [200, z.array(SyncRun)],
  problems: ["not-found"],
});
export const getSyncRun = endpoint({
  method: "GET",
  path: "/v1/integrations/{id}/syncs/{runId}",
  summary: "Read one run of an integration, with the records that could not become leads",
  access: "analyst",
  audit: null,
  params: IdParams.extend({ runId: Id }),
  success: [200, SyncRunDetails],
  problems: ["not-found"],
});
const LoginUrl = z.object({ url: z.url() });
const CallbackAnswer = z.object({
  code: z.string().min(1, "The callback brings a code.").max(2000, "That is too long for a code."),
  integrationId: z
    .string()
    .min(1, "The callback brings a state.")
    .max(500, "That is too long for a state.")
    .describe("The callback's state value: the integration's id and a proof"),
});
const ServiceParams = z.object({ service: CrmService });

/** The general routes with that CRM's name in them. */
export const startCrmLogin = endpoint({
  method: "POST",
  path: "/v1/integrations/salesforce/login/{id}",
  summary: "Start connecting Salesforce: returns where to redirect the browser (OAuth 2.0 with PKCE)",
  access: "admin",
  audit: "integration.login-started",
  params: IdParams,
  success: [200, LoginUrl],
  problems: ["not-found", "crm-not-available", "too-many-attempts"],
});
export const finishCrmLogin = endpoint({
  method: "POST",
  path: "/v1/integrations/salesforce/callback",
  summary: "Exchange Salesforce's code for access and make the integration active",
  access: "admin",
  audit: "integration.connected",
  body: CallbackAnswer,
  success: [200, Integration],
  problems: ["authorisation-refused", "already-connected", "crm-unreachable", "crm-not-available"],
});
export const startServiceLogin = endpoint({
  method: "POST",
  path: "/v1/integrations/{service}/login/{id}",
  summary: "Start connecting a CRM: returns where to redirect the browser (OAuth 2.0)",
  access: "admin",
  audit: "integration.login-started",
  params: IdParams.extend(ServiceParams.shape),
  success: [200, LoginUrl],
  problems: ["not-found", "crm-not-available", "too-many-attempts"],
});
export const finishServiceLogin = endpoint({
  method: "POST",
  path: "/v1/integrations/{service}/callback",
  summary: "Exchange a CRM's code for access and make the integration active",
  access: "admin",
  audit: "integration.connected",
  params: ServiceParams,
  body: CallbackAnswer,
  success: [200, Integration],
  problems: ["authorisation-refused", "already-connected", "crm-unreachable", "crm-not-available"],
});
