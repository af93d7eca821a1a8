import { z } from "zod";
import type { SandboxResponse } from "../exchange.ts";
import { apiError } from "./errors.ts";
import { users } from "./make-leads.ts";

const LeadFields = z
  .object({
    FirstName: z.string().nullable(),
    LastName: z.string().nullable(),
    Company: z.string().nullable(),
    Title: z.string().nullable(),
    Email: z.string().nullable(),
    Phone: z.string().nullable(),
    MobilePhone: z.string().nullable(),
    Status: z.string(),
    LeadSource: z.string().nullable(),
    Budget__c: z.number().nullable(),
    Next_Step__c: z.string().nullable(),
    OwnerId: z.enum(users.map(({ Id }) => Id)),
  })
  .partial();
type Given = z.infer<typeof LeadFields>;
/** Required fields have a value, wherever they are. */
export type LeadFields = Omit<Given, "LastName" | "Company" | "Title"> & {
  LastName?: string;
  Company?: string;
  Title?: string;
};

const required = ["LastName", "Company"] as const;
/** Object Reference, Lead. */
const maxCharacters = {
  FirstName: 40,
  LastName: 80,
  Company: 255,
  Title: 128,
  Email: 80,
  Phone: 40,
  Next_Step__c: 255,
} as const;

/** What a client may set, or the API's error. */
export function readLeadFields(body: string, { isNew }: { isNew: boolean }): LeadFields | SandboxResponse {
  const given = parse(body);
  if (given === null) return apiError(400, "JSON_PARSER_ERROR", "The body cannot be read.");
  const missing = required.filter((name) => (isNew || given[name] !== undefined) && !given[name]?.trim());
  if (missing.length > 0)
    return apiError(400, "REQUIRED_FIELD_MISSING", `Required fields are missing: [${missing.join(", ")}]`);
  for (const name of ["FirstName", "LastName", "Company", "Title", "Email", "Phone", "Next_Step__c"] as const) {
    const value = given[name] ?? "";
    const most = maxCharacters[name];
    if (value.length > most)
      return apiError(400, "STRING_TOO_LONG", `${name}: data value too large: ${value} (max length=${most})`);
  }
  if (given.Email && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(given.Email))
    return apiError(400, "INVALID_EMAIL_ADDRESS", `Email: invalid email address: ${given.Email}`);
  const { LastName, Company, Title, ...rest } = given;
  return {
    ...rest,
    ...(LastName && { LastName }),
    ...(Company && { Company }),
    ...(Title !== undefined && { Title: Title ?? "" }),
  };
}

function parse(body: string): Given | null {
  try {
    return LeadFields.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
