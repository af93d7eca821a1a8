import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Id, IdParams } from "./identifiers.ts";

export const Role = z.enum(["owner", "admin", "member"]);
export type Role = z.infer<typeof Role>;

export const Organisation = z.object({
  id: Id,
  name: z.string(),
  description: z.string().nullable(),
  website: z.string().nullable(),
  balance: z.int().describe("Prepaid balance in millionths of a US dollar"),
  role: Role.describe("Your role in it"),
});
export type Organisation = z.infer<typeof Organisation>;

const OptionalText = (maxLength: number) =>
  z
    .string()
    .trim()
    .max(maxLength, `Keep it under ${maxLength} characters.`)
    .nullish()
    .transform((text) => text || null);

export const CreateOrganisationInput = z.object({
  name: z.string().trim().min(2, "Name must be at least 2 characters.").max(100, "Keep the name under 100 characters."),
  description: OptionalText(500),
  website: OptionalText(200),
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
  summary: "Make an organisation, own it, and make it your active one",
  access: "signed-in",
  audit: "organisation.created",
  body: CreateOrganisationInput,
  success: [201, Organisation],
  problems: ["call-in-progress"],
});
