import { CreateIntegrationInput } from "../integrations.ts";
import { LeadInput } from "../leads.ts";
import { CreateOrganisationInput } from "../organisations.ts";
import { LoginInput, RegisterInput } from "../sessions.ts";

/** Each form with a valid entry and its endpoint. */
export const specifiedForms = {
  login: {
    schema: LoginInput,
    path: "/v1/login",
    good: { email: "robin@example.com", password: "a sounding line" },
  },
  register: {
    schema: RegisterInput,
    path: "/v1/register",
    good: { firstName: "Robin", lastName: "Sounder", email: "robin@example.com", password: "a sounding line" },
  },
  integration: {
    schema: CreateIntegrationInput,
    path: "/v1/integrations",
    good: { service: "salesforce", label: "Harbour", workspaceDomain: "harbour.my.salesforce.com" },
  },
  lead: {
    schema: LeadInput,
    path: "/v1/leads",
    good: { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" },
  },
  organisation: {
    schema: CreateOrganisationInput,
    path: "/v1/organisations",
    good: { name: "Harbour", description: "By the sea", website: "harbour.example" },
  },
} as const;
export type SpecifiedForm = keyof typeof specifiedForms;

const email = "A valid email is required";
const password = "A strong password is required";
const domain = "Workspace domain is required.";

/** An entry that just fails each rule, with the message shown at the field. Undefined: the field is missing. */
export const specifiedMessages: readonly (readonly [SpecifiedForm, field: string, value: unknown, message: string])[] =
  [
    ["login", "email", "", email],
    ["login", "email", "robin@", email],
    ["login", "password", "", password],
    ["register", "firstName", "", "First name is required"],
    ["register", "firstName", "R", "First name is required"],
    ["register", "firstName", "R".repeat(51), "First name is required"],
    ["register", "lastName", "", "Last name is required"],
    ["register", "lastName", "S", "Last name is required"],
    ["register", "lastName", "S".repeat(51), "Last name is required"],
    ["register", "email", "robin", email],
    ["register", "password", "", password],
    ["integration", "label", "H", "Label must be at least 2 characters."],
    ["integration", "service", "", "Please select a service."],
    ["integration", "service", undefined, "Please select a service."],
    ["integration", "workspaceDomain", undefined, domain],
    ["integration", "workspaceDomain", "  a.co  ", domain],
    ["lead", "firstName", "B", "First name must be at least 2 characters."],
    ["lead", "lastName", "S", "Last name must be at least 2 characters."],
    ["lead", "email", "b@s.e", "Email must be at least 6 characters."],
    ["lead", "phone", "1234567", "Phone must be at least 8 characters."],
    ["organisation", "name", "H", "Name must be at least 2 characters."],
  ];

/** An entry that just satisfies each rule. */
export const specifiedlyGood: readonly (readonly [SpecifiedForm, change: Readonly<Record<string, unknown>>])[] = [
  ["login", { password: "x" }],
  ["register", { firstName: "Bo", lastName: "Ng" }],
  ["register", { firstName: "R".repeat(50), lastName: "S".repeat(50) }],
  ["integration", { label: "HQ" }],
  ["integration", { workspaceDomain: " ab.co " }],
  ["integration", { service: "podio", workspaceDomain: undefined }],
  ["integration", { service: "hubspot", workspaceDomain: undefined }],
  ["lead", { firstName: "Bo", lastName: "Ng", email: "b@s.co", phone: "12345678" }],
  ["lead", { phone: "no number" }],
  ["organisation", { name: "HQ", description: undefined, website: undefined }],
];
