import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams, TimeOfDay } from "./identifiers.ts";
import { oneLine } from "./one-line.ts";

export const Role = z.enum(["owner", "admin", "member", "analyst"]);
export type Role = z.infer<typeof Role>;
export const isAdmin = (role: Role): boolean => role === "admin" || role === "owner";

export const Weekday = z.enum(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]);
export type Weekday = z.infer<typeof Weekday>;
const OpenDay = z
  .object({ day: Weekday, opensAt: TimeOfDay, closesAt: TimeOfDay })
  .refine((hours) => hours.opensAt < hours.closesAt, {
    path: ["closesAt"],
    message: "Closing time must be after opening time.",
  });
/** Days that are missing are closed. */
export const OpeningHours = z
  .array(OpenDay)
  .max(7)
  .refine((days) => new Set(days.map(({ day }) => day)).size === days.length, "Enter each day once.");
export type OpeningHours = z.infer<typeof OpeningHours>;

const isTimeZone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
};
/** Names only: an offset like +02:00 has no daylight saving time. */
export const TimeZone = z
  .string()
  .max(64)
  .refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), "Choose a time zone.");
/** The server validates the country itself. */
export const CountryIso = z.string().regex(/^[A-Z]{2}$/, "Choose a country.");

export const Organisation = z.object({
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  website: z.string().nullable(),
  timeZone: z.string().describe("IANA name, such as Europe/Berlin"),
  defaultCountry: z.string().describe("ISO 3166-1 alpha-2: the country of numbers without a country code"),
  openingHours: OpeningHours.describe("In the organisation's time zone; missing days are closed"),
  callingHours: OpeningHours.describe(
    "When people may be called, in their own time zone according to their number; missing days are closed. Empty: any time",
  ),
  balance: z.int().describe("Prepaid balance in millionths of a US dollar"),
  role: Role.describe("Your role in it"),
});
export type Organisation = z.infer<typeof Organisation>;

const OptionalText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `Keep it under ${maxLength} characters.`)
    .nullable()
    .transform((text) => text || null);

const Name = oneLine(
  z.string().trim().min(2, "Name must be at least 2 characters.").max(100, "Keep the name under 100 characters."),
);

/** Null if a browser shouldn't open it: javascript:, plain text. A bare domain gets https. */
export function readWebsite(typed: string): URL | null {
  const hasScheme = /^[a-z][a-z0-9+-]*:/i.test(typed);
  const url = URL.parse(hasScheme ? typed : `https://${typed}`);
  return url && /^https?:$/.test(url.protocol) && url.hostname.includes(".") ? url : null;
}
const Website = OptionalText(200).refine(
  (typed) => typed === null || readWebsite(typed) !== null,
  "Enter a web address such as example.com or https://example.com.",
);

export const CreateOrganisationInput = z.object({
  name: Name,
  description: OptionalText(500).default(null),
  website: Website.default(null),
  timeZone: TimeZone.optional(),
  defaultCountry: CountryIso.optional(),
});
/** Missing fields stay unchanged. */
export const UpdateOrganisationInput = z.object({
  name: Name.optional(),
  description: OptionalText(500).optional(),
  website: Website.optional(),
  timeZone: TimeZone.optional(),
  defaultCountry: CountryIso.optional(),
  openingHours: OpeningHours.optional(),
  callingHours: OpeningHours.optional(),
});

export const listOrganisations = endpoint({
  method: "GET",
  path: "/v1/organisations",
  summary: "List the organisations you belong to",
  access: "signed-in",
  audit: null,
  success: [200, z.array(Organisation)],
  problems: [],
});
export const getOrganisation = endpoint({
  method: "GET",
  path: "/v1/organisations/{id}",
  summary: "Read an organisation you belong to",
  access: "signed-in",
  audit: null,
  params: IdParams,
  success: [200, Organisation],
  problems: ["not-found"],
});
export const createOrganisation = endpoint({
  method: "POST",
  path: "/v1/organisations",
  summary: "Create an organisation, own it, and make it your active one",
  access: "signed-in",
  audit: "organisation.created",
  body: CreateOrganisationInput,
  success: [201, Organisation],
  problems: ["call-in-progress", "quota-reached", "too-many-attempts"],
});
export const deleteOrganisation = endpoint({
  method: "DELETE",
  path: "/v1/organisations/{id}",
  summary:
    "Delete an organisation whose only owner you are, with all its data, once it has no balance, numbers or calls",
  access: "signed-in",
  audit: "organisation.deleted",
  params: IdParams,
  success: [204, null],
  problems: ["not-found", "not-allowed", "organisation-in-use"],
});
export const updateOrganisation = endpoint({
  method: "PUT",
  path: "/v1/organisations/{id}",
  summary: "Change an organisation as its admin or owner",
  access: "signed-in",
  audit: "organisation.updated",
  params: IdParams,
  body: UpdateOrganisationInput,
  success: [200, Organisation],
  problems: ["not-found", "not-allowed"],
});
