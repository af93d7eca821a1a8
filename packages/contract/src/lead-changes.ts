import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { LeadConditions, LeadSearch, LeadStatus } from "./leads.ts";

/** The most leads that can be listed by id. To change more, send the filter that they match. */
export const maxChosenLeads = 500;
/** How long a deletion can be undone after it has finished. */
export const undoMinutes = 10;

export const LeadChangeAction = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("owner"), ownerId: Id.nullable().describe("A member; null unassigns the leads") }),
  z.object({ kind: z.literal("status"), status: LeadStatus }),
  z.object({ kind: z.literal("do-not-call") }),
  z.object({ kind: z.literal("delete") }),
]);
export type LeadChangeAction = z.infer<typeof LeadChangeAction>;

export const LeadMatch = LeadConditions.extend({ search: LeadSearch });
export type LeadMatch = z.infer<typeof LeadMatch>;

export const LeadChangeInput = z
  .object({
    ids: z
      .array(Id)
      .min(1, "Choose at least one lead.")
      .max(maxChosenLeads, `Choose at most ${maxChosenLeads} leads, or change all that match a filter.`)
      .optional(),
    matching: LeadMatch.optional().describe("All leads that match now; instead of ids"),
    action: LeadChangeAction,
  })
  .refine(({ ids, matching }) => (ids === undefined) !== (matching === undefined), "Give ids or matching.");
export type LeadChangeInput = z.infer<typeof LeadChangeInput>;

export const LeadChange = z.object({
  id: Id,
  kind: z.enum(["owner", "status", "do-not-call", "delete"]),
  state: z.enum(["running", "done", "undoing", "undone", "failed"]),
  changed: z.int().describe("Leads changed so far; during an undo, those not yet restored"),
  total: z.int().nullable().describe("About how many leads match; null if they weren't counted"),
  createdAt: Timestamp,
  undoUntil: Timestamp.nullable().describe("For a finished deletion; null for other changes"),
});
export type LeadChange = z.infer<typeof LeadChange>;

export const changeLeads = endpoint({
  method: "POST",
  path: "/v1/lead-changes",
  summary: "Change or delete many leads: listed ones at once, all that match a filter as a job",
  access: "member",
  audit: "leads.changed",
  body: LeadChangeInput,
  success: [201, LeadChange],
  problems: ["quota-reached"],
});
export const listLeadChanges = endpoint({
  method: "GET",
  path: "/v1/lead-changes",
  summary: "List your bulk changes in progress, and your deletions that can be undone; newest first",
  access: "analyst",
  audit: null,
  success: [200, z.array(LeadChange)],
  problems: [],
});
export const undoLeadChange = endpoint({
  method: "POST",
  path: "/v1/lead-changes/{id}/undo",
  summary: "Undo one of your deletions, which restores the leads with their notes, files and calls",
  access: "member",
  audit: "lead-change.undone",
  params: IdParams,
  success: [200, LeadChange],
  problems: ["not-found", "too-late"],
});
