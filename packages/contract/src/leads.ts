import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { followUpFields, givenFollowUp } from "./follow-up-fields.ts";
import { Id, IdParams, Timestamp, PutBack } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

export const LeadStatus = z.enum(["New", "Working", "Nurturing", "Qualified", "Unqualified"]);
export type LeadStatus = z.infer<typeof LeadStatus>;

export const LeadOwner = z.object({
  userId: Id.nullable().describe("Null: a person in the CRM who isn't a member here"),
  name: z.string(),
});

export const Lead = z.object({
  id: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phone: z.string().describe("As typed, or as in the CRM"),
  phoneNumber: z
    .string()
    .nullable()
    .describe("The same in E.164, by the organisation's default country; null if it isn't a number"),
  doNotCall: z.boolean().describe("The number is on the organisation's do-not-call list"),
  company: z.string(),
  jobTitle: z.string(),
  status: LeadStatus,
  owner: LeadOwner.nullable().describe("Null: unassigned"),
  lastCalledAt: Timestamp.nullable().describe("When the last finished call with it began, inbound or outbound"),
  nextStep: z.string().describe("What to do next, in the team's own words"),
  ...followUpFields,
  integrationId: Id.nullable().describe("The CRM connection it came from"),
  crmUrl: z
    .string()
    .nullable()
    .describe("The record's page in the CRM: absolute, or a path on this server for the sandbox"),
  customFields: z
    .array(z.object({ name: z.string(), value: z.string() }))
    .describe("Further fields of its CRM record, according to the integration's mapping"),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Lead = z.infer<typeof Lead>;

/** The fields for creating a lead, and for each row of an import. */
export const LeadInput = z.object({
  firstName: oneLine(
    z
      .string()
      .trim()
      .min(2, "First name must be at least 2 characters.")
      .max(100, "Keep the first name under 100 characters."),
  ),
  lastName: oneLine(
    z
      .string()
      .trim()
      .min(2, "Last name must be at least 2 characters.")
      .max(100, "Keep the last name under 100 characters."),
  ),
  email: oneLine(
    z.string().trim().min(6, "Email must be at least 6 characters.").max(254, "Keep the email under 254 characters."),
  ),
  phone: oneLine(
    z
      .string()
      .trim()
      .min(8, "Phone must be at least 8 characters.")
      .max(40, "Keep the phone number under 40 characters."),
  ),
  company: oneLine(z.string().trim().max(200, "Keep the company under 200 characters.")).optional(),
  jobTitle: oneLine(z.string().trim().max(200, "Keep the job title under 200 characters.")).optional(),
  status: LeadStatus.optional(),
  ownerId: Id.nullish().describe("A member of the organisation; null unassigns the lead"),
  nextStep: oneLine(z.string().trim().max(200, "Keep the next step under 200 characters.")).optional(),
  ...givenFollowUp("Enter the day as YYYY-MM-DD."),
});

/** Missing fields stay unchanged. */
export const UpdateLeadInput = LeadInput.partial();

/**
 * A minus sign reverses the order: `-name` is Z to A. `owner` and `nextStep` start with leads without one, `lastCall` with
 * leads never called, `followUp` with what is due first.
 */
export const LeadSort = z.enum([
  "newest",
  "oldest",
  "name",
  "-name",
  "company",
  "-company",
  "jobTitle",
  "-jobTitle",
  "email",
  "-email",
  "phone",
  "-phone",
  "status",
  "-status",
  "owner",
  "-owner",
  "lastCall",
  "-lastCall",
  "nextStep",
  "-nextStep",
  "followUp",
]);
export type LeadSort = z.infer<typeof LeadSort>;

/** The shortest text that is searched for. */
export const shortestSearch = 2;
/** Counts characters as people do: 🚀 is one. */
export const isSearch = (typed: string): boolean => [...typed.trim()].length >= shortestSearch;

export const LeadSearch = z
  .string()
  .trim()
  .max(100, "Search for fewer than 100 characters.")
  .optional()
  .describe(
    "Words that must all be in the lead's name, company, email or phone number; words of one or two characters only match the beginning of one. At least 2 characters",
  );

/** not-7-days, not-30-days: never called, or not for that long. */
export const LeadCalled = z.enum(["never", "last-7-days", "not-7-days", "not-30-days"]);
export type LeadCalled = z.infer<typeof LeadCalled>;
/** In the organisation's time zone. today: due today or overdue. A callback without a time is due until the day ends. */
export const LeadDue = z.enum(["overdue", "today", "next-7-days", "any"]);
export type LeadDue = z.infer<typeof LeadDue>;

/** Which leads; all conditions must hold. */
export const LeadConditions = z.object({
  status: LeadStatus.optional(),
  owner: z
    .union([z.enum(["me", "none"]), Id], { error: "Give a member’s identifier, me, or none." })
    .optional()
    .describe("Leads of this owner; none: leads without an owner"),
  called: LeadCalled.optional().describe("By the last call with the lead"),
  due: LeadDue.optional().describe("By the callback day"),
  followUpOwner: z
    .union([z.enum(["me"]), Id], { error: "Give a member’s identifier, or me." })
    .optional()
    .describe("By who calls back"),
});
export type LeadConditions = z.infer<typeof LeadConditions>;

export const listLeads = endpoint({
  method: "GET",
  path: "/v1/leads",
  summary: "List the organisation's leads; the Link header (rel=next) has the next page",
  access: "analyst",
  audit: null,
  query: z.object({
    search: LeadSearch,
    match: z
      .enum(["anywhere", "beginning"])
      .default("anywhere")
      .describe("Where the words must be: anywhere, or at the beginning of words"),
    ...LeadConditions.shape,
    sort: LeadSort.default("newest"),
    phoneNumber: z.string().max(40).optional().describe("Only leads with this number, in any spelling"),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    after: z.string().max(1000).optional().describe("From a Link header"),
  }),
  success: [200, z.array(Lead)],
  problems: [],
});
/** Leads are counted up to this number, which takes a few milliseconds. */
export const maxLeadsCounted = 10_000;
export const LeadCount = z.object({
  count: z.int(),
  more: z.boolean().describe(`Whether there are more than ${maxLeadsCounted}, which is as far as they are counted`),
});
export type LeadCount = z.infer<typeof LeadCount>;

export const countLeads = endpoint({
  method: "GET",
  path: "/v1/leads/count",
  summary: "Count the organisation's leads, or those that meet conditions",
  access: "analyst",
  audit: null,
  query: LeadConditions,
  success: [200, LeadCount],
  problems: [],
});
export const createLead = endpoint({
  method: "POST",
  path: "/v1/leads",
  summary: "Add a lead",
  access: "member",
  audit: "lead.created",
  body: LeadInput,
  success: [201, Lead],
  problems: ["quota-reached"],
});
export const getLead = endpoint({
  method: "GET",
  path: "/v1/leads/{id}",
  summary: "Read a lead",
  access: "analyst",
  audit: null,
  params: IdParams,
  success: [200, Lead],
  problems: ["not-found"],
});
export const updateLead = endpoint({
  method: "PUT",
  path: "/v1/leads/{id}",
  summary: "Change a lead; missing fields stay unchanged",
  access: "member",
  audit: "lead.updated",
  params: IdParams,
  body: UpdateLeadInput.extend({ putBack: PutBack }),
  success: [200, Lead],
  problems: ["not-found"],
});
export const deleteLead = endpoint({
  method: "DELETE",
  path: "/v1/leads/{id}",
  summary: "Delete a lead with its notes and files; its calls stay in the log",
  access: "member",
  audit: "lead.deleted",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});

export const LeadNote = z.object({
  id: Id,
  text: z.string(),
  userId: Id,
  userName: z.string(),
  createdAt: Timestamp,
});
export type LeadNote = z.infer<typeof LeadNote>;

export const LeadNoteInput = z.object({
  text: z.string().trim().min(1, "Enter a note.").max(5000, "Keep a note under 5,000 characters."),
});

export const listLeadNotes = endpoint({
  method: "GET",
  path: "/v1/leads/{id}/notes",
  summary: "List a lead's notes, newest first",
  access: "analyst",
  audit: null,
  params: IdParams,
  success: [200, z.array(LeadNote)],
  problems: ["not-found"],
});
export const addLeadNote = endpoint({
  method: "POST",
  path: "/v1/leads/{id}/notes",
  summary: "Add a note to a lead",
  access: "member",
  audit: "lead.noted",
  params: IdParams,
  body: LeadNoteInput,
  success: [201, LeadNote],
  problems: ["not-found", "quota-reached"],
});
export const deleteLeadNote = endpoint({
  method: "DELETE",
  path: "/v1/lead-notes/{id}",
  summary: "Delete a note that you wrote; an admin can delete any",
  access: "member",
  audit: "lead-note.deleted",
  params: IdParams,
  success: [204, null],
  problems: ["not-found", "not-allowed"],
});
