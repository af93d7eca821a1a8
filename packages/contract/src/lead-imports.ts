import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, Timestamp } from "./identifiers.ts";
import { LeadConditions, type LeadInput, LeadSearch, LeadSort, LeadStatus, UpdateLeadInput } from "./leads.ts";

export const maxImportRows = 100_000;
export const largestImportBytes = 25 * 2 ** 20;

export const LeadField = z.enum([
  "firstName",
  "lastName",
  "email",
  "phone",
  "company",
  "jobTitle",
  "status",
  "nextStep",
  "followUpOn",
]);
export type LeadField = z.infer<typeof LeadField>;

const Column = z.int().min(0).max(199).optional();

/** An incomplete mapping, while a person is still choosing. */
export const PartialLeadMapping = z.object({
  firstName: Column,
  lastName: Column,
  email: Column,
  phone: Column,
  company: Column,
  jobTitle: Column,
  status: Column,
  nextStep: Column,
  followUpOn: Column,
});
export type PartialLeadMapping = z.infer<typeof PartialLeadMapping>;

/** Which column, counted from 0, fills which field. A name and a phone or an email are required, the rest is optional. */
export const LeadMapping = PartialLeadMapping.refine(
  ({ firstName, lastName }) => firstName !== undefined || lastName !== undefined,
  { path: ["firstName"], message: "Choose a column for the first or the last name." },
).refine(({ phone, email }) => phone !== undefined || email !== undefined, {
  path: ["phone"],
  message: "Choose a column for the phone or the email.",
});
export type LeadMapping = z.infer<typeof LeadMapping>;

/** A remark such as “call me at 5” has fewer. The shortest numbers of a country have more, with its code. */
const fewestDigits = 5;
const quoted = (text: string): string => `“${text.slice(0, 40)}”`;

/** The form takes any text, which its author sees. In a file, such text is usually a remark or another column's. */
const formatFaults = ({ email, phone }: { email: string; phone: string }): string[] => [
  ...(email === "" || /\S@\S/.test(email) ? [] : [`${quoted(email)} isn’t an email address.`]),
  ...(phone === "" || (phone.match(/\p{Nd}/gu) ?? []).length >= fewestDigits
    ? []
    : [`${quoted(phone)} isn’t a phone number.`]),
];

/**
 * Reads one row of an import: a lead, or why it isn't one. It needs a name, and a phone or an email. The form asks for
 * all four. An apostrophe before a sign, at the start or after a separator, was added by an export to protect
 * spreadsheets and is removed.
 */
export function readLeadRow(
  cells: readonly string[],
  mapping: PartialLeadMapping,
): { lead: z.output<typeof LeadInput> } | { message: string } {
  const cell = (field: LeadField): string => {
    const column = mapping[field];
    const text = (column === undefined ? "" : (cells[column] ?? "")).trim();
    return text.replaceAll(/(^|[;|\t\r\n]"*)'(?='*[=+\-@＝＋－＠])/g, "$1");
  };
  const statusText = cell("status");
  const status = LeadStatus.options.find((option) => option.toLowerCase() === statusText.toLowerCase());
  const statusFaults =
    statusText === "" || status !== undefined
      ? []
      : [`Status must be one of ${LeadStatus.options.join(", ")}, not ${quoted(statusText)}.`];
  const given = (field: LeadField) => cell(field) || undefined;
  const parsed = UpdateLeadInput.safeParse({
    firstName: given("firstName"),
    lastName: given("lastName"),
    email: given("email"),
    phone: given("phone"),
    company: given("company"),
    jobTitle: given("jobTitle"),
    status,
    nextStep: given("nextStep"),
    followUpOn: cell("followUpOn") || null,
  });
  const missing = [
    ...(given("firstName") || given("lastName") ? [] : ["A lead needs a first or a last name."]),
    ...(given("phone") || given("email") ? [] : ["A lead needs a phone number or an email."]),
  ];
  if (parsed.success && missing.length + statusFaults.length === 0) {
    const { firstName = "", lastName = "", email = "", phone = "", ...rest } = parsed.data;
    const wrong = formatFaults({ email, phone });
    return wrong.length > 0 ? { message: wrong.join(" ") } : { lead: { firstName, lastName, email, phone, ...rest } };
  }
  const faults = parsed.error?.issues.map((issue) => issue.message) ?? [];
  return { message: [...missing, ...faults, ...statusFaults].join(" ") };
}

export const LeadImport = z.object({
  id: Id,
  fileName: z.string(),
  state: z.enum(["draft", "running", "completed", "failed"]),
  columns: z.array(z.string()).describe("The file's first row"),
  preview: z.array(z.array(z.string())).describe("The first rows after that"),
  suggestedMapping: PartialLeadMapping,
  rowCount: z.int().describe("Without the first row and empty ones"),
  created: z.int(),
  skipped: z.int().describe("Rows that equalled an existing lead: see skipKnownNumbers"),
  duplicates: z.int().describe("Rows that matched a lead or an earlier row, whether skipped or imported"),
  failed: z.int(),
  problem: z.string().nullable().describe("Why the import failed as a whole"),
  createdAt: Timestamp,
  finishedAt: Timestamp.nullable(),
});
export type LeadImport = z.infer<typeof LeadImport>;

export const prepareLeadImport = endpoint({
  method: "POST",
  path: "/v1/lead-imports",
  summary: "Upload a CSV of leads; nothing is imported yet",
  access: "member",
  audit: "lead-import.prepared",
  files: { most: 1, largestBytes: largestImportBytes },
  success: [201, LeadImport],
  problems: ["file-refused", "too-many-attempts"],
});
/**
 * new: becomes a lead. known: a lead has its number (see skipKnownNumbers). repeated: duplicates an earlier row.
 * failed: not a valid lead.
 */
export const RowFate = z.enum(["new", "known", "repeated", "failed"]);
export type RowFate = z.infer<typeof RowFate>;

export const LeadImportCheck = z.object({
  totals: z
    .object({ new: z.int(), known: z.int(), repeated: z.int(), failed: z.int() })
    .nullable()
    .describe("For all rows; null while the comparison is running: ask again"),
  checkedRows: z.int().describe("Rows compared with the leads so far"),
  preview: z.array(RowFate).describe("For the previewed rows, in order"),
});
export type LeadImportCheck = z.infer<typeof LeadImportCheck>;

export const checkLeadImport = endpoint({
  method: "POST",
  path: "/v1/lead-imports/{id}/check",
  summary: "Predict the result of each uploaded row; nothing is imported yet",
  access: "member",
  audit: null,
  params: IdParams,
  body: z.object({ mapping: LeadMapping }),
  success: [200, LeadImportCheck],
  problems: ["not-found", "import-started"],
});
export const startLeadImport = endpoint({
  method: "POST",
  path: "/v1/lead-imports/{id}/start",
  summary: "Import the uploaded leads, as a job that continues after this request and a restart",
  access: "member",
  audit: "lead-import.started",
  params: IdParams,
  body: z.object({
    mapping: LeadMapping,
    skipKnownNumbers: z
      .boolean()
      .default(true)
      .describe(
        "Skip rows whose phone number a lead or an earlier row has; without a valid number, whose phone as written, name and email",
      ),
  }),
  success: [200, LeadImport],
  problems: ["not-found", "import-started", "quota-reached"],
});
/** Without fields that only the import's own page needs. */
export const ListedImport = LeadImport.omit({ columns: true, preview: true, suggestedMapping: true });
export type ListedImport = z.infer<typeof ListedImport>;

export const listLeadImports = endpoint({
  method: "GET",
  path: "/v1/lead-imports",
  summary:
    "List the organisation’s latest imports, newest first; the last twenty finished ones are kept for thirty days",
  access: "analyst",
  audit: null,
  success: [200, z.array(ListedImport)],
  problems: [],
});
export const getLeadImport = endpoint({
  method: "GET",
  path: "/v1/lead-imports/{id}",
  summary: "Read an import's progress",
  access: "analyst",
  audit: null,
  params: IdParams,
  success: [200, LeadImport],
  problems: ["not-found"],
});
/** The download contains all of them. */
export const maxListedErrors = 1_000;

export const listLeadImportErrors = endpoint({
  method: "GET",
  path: "/v1/lead-imports/{id}/errors",
  summary: "List the first thousand rows that were not imported, with reasons",
  access: "analyst",
  audit: null,
  params: IdParams,
  success: [
    200,
    z.array(
      z.object({ row: z.int().describe("Row number as in a spreadsheet: the first row is 1"), message: z.string() }),
    ),
  ],
  problems: ["not-found"],
});
export const exportLeadImportErrors = endpoint({
  method: "GET",
  path: "/v1/lead-imports/{id}/errors/export",
  summary: "Export all rows that were not imported as CSV, with the reason before the cells; formulas are escaped",
  access: "analyst",
  audit: "lead-import.errors-exported",
  params: IdParams,
  success: [200, "file"],
  problems: ["not-found"],
});
/** The download contains all of them. */
export const maxListedDuplicates = 1_000;

export const ImportDuplicate = z.object({
  row: z.int().describe("Row number as in a spreadsheet: the first row is 1"),
  name: z.string().describe("The name in the row"),
  matchedBy: z
    .enum(["phone-number", "details"])
    .describe("details: name, email and phone as written, if the phone isn't a number"),
  lead: z
    .object({ id: Id, firstName: z.string(), lastName: z.string() })
    .nullable()
    .describe("The lead it matches; null if it matches an earlier row, or the lead has been deleted since"),
  earlierRow: z.int().nullable().describe("The earlier row it matches"),
  done: z.enum(["left-out", "imported"]).describe("The matching lead stays as it is either way"),
});
export type ImportDuplicate = z.infer<typeof ImportDuplicate>;

export const listLeadImportDuplicates = endpoint({
  method: "GET",
  path: "/v1/lead-imports/{id}/duplicates",
  summary: "List the first thousand rows that match a lead or an earlier row, and what was done with them",
  access: "analyst",
  audit: null,
  params: IdParams,
  success: [200, z.array(ImportDuplicate)],
  problems: ["not-found"],
});
export const exportLeadImportDuplicates = endpoint({
  method: "GET",
  path: "/v1/lead-imports/{id}/duplicates/export",
  summary: "Export all duplicates of an import as CSV, with their match before their fields; formulas are escaped",
  access: "analyst",
  audit: "lead-import.duplicates-exported",
  params: IdParams,
  success: [200, "file"],
  problems: ["not-found"],
});
export const deleteLeadImport = endpoint({
  method: "DELETE",
  path: "/v1/lead-imports/{id}",
  summary: "Stop an import, or delete its record; leads that it created stay",
  access: "member",
  audit: "lead-import.deleted",
  params: IdParams,
  success: [204, null],
  problems: ["not-found"],
});

export const exportLeads = endpoint({
  method: "GET",
  path: "/v1/leads/export",
  summary:
    "Export all leads, or those that match a search and conditions, as CSV; cells that a spreadsheet would execute are escaped",
  access: "analyst",
  audit: "leads.exported",
  query: z.object({ search: LeadSearch, ...LeadConditions.shape, sort: LeadSort.default("oldest") }),
  success: [200, "file"],
  problems: [],
});
