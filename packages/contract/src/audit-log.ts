import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { GivenDay, Id, Timestamp } from "./identifiers.ts";

const AuditedValues = z
  .record(z.string(), z.unknown())
  .nullable()
  .describe("Values by column. Secrets and free text are “(not recorded)”; empty columns are left out");

const AuditChange = z.object({
  kind: z.string().describe("The table, such as leads"),
  subjectId: z.string(),
  subject: z.string().describe("Its name or number at that time; empty if it has none"),
  operation: z
    .enum(["created", "changed", "deleted", "more"])
    .describe(
      "more: further ones changed too, and aren’t listed. after.count says how many; in entries before that was counted, both values are null and subject is the first of them",
    ),
  before: AuditedValues,
  after: AuditedValues,
});
export type AuditChange = z.infer<typeof AuditChange>;

const AuditEntry = z.object({
  id: z.int(),
  at: Timestamp,
  action: z.string().describe("Such as lead.updated"),
  userId: Id.nullable().describe("Null: not signed in, or Leadline itself"),
  userName: z.string().describe("The name at that time"),
  byLeadline: z
    .boolean()
    .describe(
      "Leadline made the change on its own: by a job or a sync, or when a carrier, CRM or payment provider reported it",
    ),
  address: z.string(),
  userAgent: z.string(),
  requestId: z.string().describe("The same id as in the server’s log and in x-request-id"),
  changes: z.array(AuditChange).describe("At most 50, then one entry for the rest"),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const AuditPage = z.object({
  entries: z.array(AuditEntry),
  people: z.record(Id, z.string()).describe("Names of the members whose ids are among the values"),
  hasMore: z.boolean(),
});

/** As a person in the filter: Leadline itself. */
export const byLeadline = "leadline";

const dayHelp = "Enter a day as 2026-01-31.";
export const AuditFilter = z.object({
  userId: z
    .union([Id, z.literal(byLeadline)])
    .optional()
    .describe("A person, or “leadline” for what Leadline changed on its own"),
  action: z.string().max(100).optional(),
  search: z
    .string()
    .trim()
    .max(100)
    .optional()
    .describe("Part of a person’s name, an address, a subject or a value, in any case"),
  from: GivenDay(dayHelp).optional().describe("The first day, in the organisation’s time zone"),
  to: GivenDay(dayHelp).optional().describe("The last day"),
});

export const listAuditEntries = endpoint({
  method: "GET",
  path: "/v1/audit-log",
  summary: "Who changed what, when and from where, newest first, 50 at a time",
  access: "admin",
  audit: null,
  query: AuditFilter.extend({
    before: z.coerce
      .number()
      .int()
      .positive()
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe("The id of the last entry of the page before"),
  }),
  success: [200, AuditPage],
  problems: [],
});
export const exportAuditEntries = endpoint({
  method: "GET",
  path: "/v1/audit-log/export",
  summary: "Export these entries as CSV, one line per change; cells that a spreadsheet would execute are escaped",
  access: "admin",
  audit: "audit-log.exported",
  query: AuditFilter,
  success: [200, "file"],
  problems: [],
});

const keptDaysWords = "Enter a whole number of days from 30 to 3,650.";
export const AuditSettingsInput = z.object({
  keptDays: z.int(keptDaysWords).min(30, keptDaysWords).max(3_650, keptDaysWords),
});
const AuditSettings = z.object({
  keptDays: z.int().describe("Older entries are deleted every night"),
  actions: z.array(z.string()).describe("Every action that can be in the log"),
});
export type AuditSettings = z.infer<typeof AuditSettings>;

export const readAuditSettings = endpoint({
  method: "GET",
  path: "/v1/audit-log/settings",
  summary: "Read how long the audit log is kept, and which actions it records",
  access: "admin",
  audit: null,
  success: [200, AuditSettings],
  problems: [],
});
export const updateAuditSettings = endpoint({
  method: "PUT",
  path: "/v1/audit-log/settings",
  summary: "Choose how long the audit log is kept",
  access: "owner",
  audit: "audit-log.settings-changed",
  body: AuditSettingsInput,
  success: [200, AuditSettings],
  problems: [],
});
