import { z } from "zod";
import { LeadStatus } from "./leads.ts";

/** For a CRM whose customers define their own kinds of records: one kind that leads can come from. */
export const CrmSource = z.object({
  id: z.string(),
  name: z.string(),
  within: z.string().describe("Its location in the CRM; empty if the name is enough"),
});
export type CrmSource = z.infer<typeof CrmSource>;

export const CrmField = z.object({
  id: z.string(),
  name: z.string(),
  kind: z
    .enum(["text", "email", "phone", "choice", "person", "other"])
    .describe("person: a reference to a person with a name, an email and a phone number"),
  options: z
    .array(z.object({ value: z.string(), label: z.string(), status: LeadStatus }))
    .optional()
    .describe("For a choice: its options, each with the status that Leadline reads by default"),
});
export type CrmField = z.infer<typeof CrmField>;

/** The lead fields that a CRM field can fill, in the form's order. */
export const crmLeadFields = [
  "fullName",
  "firstName",
  "lastName",
  "email",
  "phone",
  "company",
  "jobTitle",
  "status",
  "owner",
  "nextStep",
] as const;
export type CrmLeadField = (typeof crmLeadFields)[number];

const FieldId = z.string().min(1, "Choose a field, or none.").max(200, "That is too long for a field.").nullable();
/** The CRM field's identifier for each lead field. Null: stays empty. */
export const CrmFieldMapping = z.object({
  fullName: FieldId.describe("Split at its last space; the values of firstName and lastName come first"),
  firstName: FieldId,
  lastName: FieldId,
  email: FieldId,
  phone: FieldId,
  company: FieldId.default(null),
  jobTitle: FieldId.default(null),
  status: FieldId,
  owner: FieldId.default(null),
  nextStep: FieldId.default(null),
} satisfies Record<CrmLeadField, z.ZodType<string | null>>);
export type CrmFieldMapping = z.infer<typeof CrmFieldMapping>;

/** The same mapping with each field's identifier replaced. */
export const mapFields = (fields: CrmFieldMapping, replace: (id: string | null) => string | null): CrmFieldMapping => ({
  fullName: replace(fields.fullName),
  firstName: replace(fields.firstName),
  lastName: replace(fields.lastName),
  email: replace(fields.email),
  phone: replace(fields.phone),
  company: replace(fields.company),
  jobTitle: replace(fields.jobTitle),
  status: replace(fields.status),
  owner: replace(fields.owner),
  nextStep: replace(fields.nextStep),
});

export const maxCustomFields = 30;
export const CrmMapping = z.object({
  source: z.string(),
  sourceName: z.string().describe("The name when it was chosen"),
  fields: CrmFieldMapping,
  custom: z
    .array(
      z.object({
        id: z.string(),
        name: z.string().describe("The name when it was chosen"),
        labels: z.record(z.string(), z.string()).default({}).describe("For a choice: the labels of its values"),
      }),
    )
    .default([])
    .describe("Further fields to store and show with the lead"),
  statuses: z
    .record(z.string(), LeadStatus)
    .default({})
    .describe("The status for a value of the status field; other values are read by their words"),
});
export type CrmMapping = z.infer<typeof CrmMapping>;

const noName = "Choose where the name comes from.";
export const CrmMappingInput = z
  .object({
    source: z.string().min(1, "Choose what to sync.").max(200, "That is too long for a source."),
    fields: CrmFieldMapping,
    custom: z
      .array(z.string().max(200, "That is too long for a field."))
      .max(maxCustomFields, `Choose at most ${maxCustomFields} further fields.`)
      .default([])
      .describe("Ids of further fields to store and show with the lead"),
    statuses: CrmMapping.shape.statuses.refine((given) => Object.keys(given).length <= 500, "Map at most 500 values."),
  })
  .refine(({ fields }) => fields.fullName !== null || fields.firstName !== null || fields.lastName !== null, {
    path: ["fields", "fullName"],
    message: noName,
  });
