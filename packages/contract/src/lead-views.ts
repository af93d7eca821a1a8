import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams } from "./identifiers.ts";
import { LeadConditions, LeadSearch, LeadSort } from "./leads.ts";
import { oneLine } from "./one-line.ts";

/** For one person in one organisation. */
export const maxLeadViews = 50;

const Filter = LeadConditions.extend({ search: LeadSearch, sort: LeadSort.default("newest") });
const Columns = z.array(z.string().max(40, "That is too long for a column.")).max(30, "Choose at most 30 columns.");

export const LeadView = z.object({
  id: Id,
  name: z.string(),
  shared: z.boolean().describe("Whether everyone in the organisation sees it"),
  own: z.boolean().describe("Whether the caller made it"),
  userName: z.string().describe("Who made it"),
  filter: Filter,
  columns: z.array(z.string()).describe("The optional columns to show, by the app's own names"),
});
export type LeadView = z.infer<typeof LeadView>;

export const LeadViewInput = z.object({
  name: oneLine(z.string().trim().min(1, "Enter a name.").max(60, "Keep the name under 60 characters.")),
  shared: z.boolean().default(false),
  filter: Filter,
  columns: Columns.default([]),
});

export const listLeadViews = endpoint({
  method: "GET",
  path: "/v1/lead-views",
  summary: "List your saved views of the leads list, and those that others share, by name",
  access: "analyst",
  audit: null,
  success: [200, z.array(LeadView)],
  problems: [],
});
export const saveLeadView = endpoint({
  method: "POST",
  path: "/v1/lead-views",
  summary: "Save a view of the leads list; replaces your own view with the same name",
  access: "member",
  audit: "lead-view.saved",
  body: LeadViewInput,
  success: [201, LeadView],
  problems: ["quota-reached"],
});
export const deleteLeadView = endpoint({
  method: "DELETE",
  path: "/v1/lead-views/{id}",
  summary: "Delete a view that you made; an admin can delete any shared one",
  access: "member",
  audit: "lead-view.deleted",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});
