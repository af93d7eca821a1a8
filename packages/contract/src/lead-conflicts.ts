import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { Lead } from "./leads.ts";

/** How many leads sharing a number or email are listed. The rest are counted. */
export const maxConflictLeads = 10;
/** Conflicts are counted up to this number. */
export const maxConflictsCounted = 1_000;

const Kind = z.enum(["phone", "email"]);
const Shared = z.object({
  kind: Kind,
  value: z.string().min(1).max(254).describe("The number in E.164, or the email in lower case"),
});

export const LeadConflict = Shared.extend({
  leads: z.array(Lead).describe(`The oldest first, ${maxConflictLeads} at most`),
  count: z.int().describe("How many leads share it"),
});
export type LeadConflict = z.infer<typeof LeadConflict>;

export const listLeadConflicts = endpoint({
  method: "GET",
  path: "/v1/lead-conflicts",
  summary:
    "List leads of different CRM connections, or of one and entered here, that share a number or an email; the Link header (rel=next) has the next page",
  access: "analyst",
  audit: null,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(50).default(20),
    after: z.string().max(1000).optional().describe("From a Link header"),
  }),
  success: [200, z.array(LeadConflict)],
  problems: [],
});
export const countLeadConflicts = endpoint({
  method: "GET",
  path: "/v1/lead-conflicts/count",
  summary: "Count the conflicts",
  access: "analyst",
  audit: null,
  success: [
    200,
    z.object({ count: z.int(), more: z.boolean().describe(`Whether there are more than ${maxConflictsCounted}`) }),
  ],
  problems: [],
});
export const keepLeadsSeparate = endpoint({
  method: "POST",
  path: "/v1/lead-conflicts/keep-separate",
  summary: "Mark these leads as different people; no conflict until another lead has the same value",
  access: "member",
  audit: "leads.kept-separate",
  body: Shared,
  success: [204, null],
  problems: ["not-found"],
});

export const MergeLeadsInput = z.object({
  keepId: Id.describe("The lead to keep"),
  otherIds: z
    .array(Id)
    .min(1, "Choose the leads to merge into it.")
    .max(20, "Merge at most 20 leads at a time.")
    .describe("The leads merged into it, with their calls, notes, files and follow-ups"),
});

export const LeadMerge = z.object({
  id: Id,
  lead: z.object({ id: Id, firstName: z.string(), lastName: z.string() }).nullable().describe("Null: it was deleted"),
  merged: z.int().describe("How many leads were merged into it"),
  userName: z.string(),
  createdAt: Timestamp,
});
export type LeadMerge = z.infer<typeof LeadMerge>;

export const mergeLeads = endpoint({
  method: "POST",
  path: "/v1/lead-merges",
  summary: "Merge leads into one; their CRM records stay linked, so that no sync adds them again",
  access: "member",
  audit: "leads.merged",
  body: MergeLeadsInput,
  success: [201, LeadMerge],
  problems: ["not-found"],
});
export const listLeadMerges = endpoint({
  method: "GET",
  path: "/v1/lead-merges",
  summary: "List the last 50 merges that can be undone, newest first",
  access: "analyst",
  audit: null,
  success: [200, z.array(LeadMerge)],
  problems: [],
});
export const undoLeadMerge = endpoint({
  method: "POST",
  path: "/v1/lead-merges/{id}/undo",
  summary: "Undo a merge, which restores each lead with its own data",
  access: "member",
  audit: "lead-merge.undone",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});
