import type { ObjectType } from "./store.ts";

type PropertyType = "string" | "number" | "datetime" | "enumeration";
export interface Property {
  name: string;
  label: string;
  type: PropertyType;
  /** For an enumeration: internal value and label. */
  options: readonly (readonly [string, string])[];
  readOnly: boolean;
}

const property = (name: string, label: string, type: PropertyType = "string", options: Property["options"] = []) => ({
  name,
  label,
  type,
  options,
  readOnly: false,
});
const readOnly = (name: string, label: string, type: PropertyType): Property => ({
  ...property(name, label, type),
  readOnly: true,
});

/** The outcomes of a new account; their values are the vendor's. */
const dispositions = [
  ["9d9162e7-6cf3-4944-bf63-4dff82258764", "Busy"],
  ["f240bbac-87c9-4f6e-bf70-924b57d47db7", "Connected"],
  ["a4c4c377-d246-4b32-a13b-75a56a4cd0ff", "Left live message"],
  ["b2cf5968-551e-4856-9783-52b3da59a7d0", "Left voicemail"],
  ["73a0d17f-1163-4015-bdd5-ec830791da20", "No answer"],
  ["17b47fee-58de-441e-a44c-c6300d46f273", "Wrong number"],
] as const;
const statuses = "BUSY CALLING_CRM_USER CANCELED COMPLETED CONNECTING FAILED IN_PROGRESS NO_ANSWER QUEUED RINGING";
const leadStatuses = [
  ["NEW", "New"],
  ["OPEN", "Open"],
  ["IN_PROGRESS", "In Progress"],
  ["OPEN_DEAL", "Open Deal"],
  ["UNQUALIFIED", "Unqualified"],
  ["ATTEMPTED_TO_CONTACT", "Attempted to Contact"],
  ["CONNECTED", "Connected"],
  ["BAD_TIMING", "Bad Timing"],
] as const;

export const lifecycleStages = [
  ["lead", "Lead"],
  ["marketingqualifiedlead", "Marketing Qualified Lead"],
  ["opportunity", "Opportunity"],
] as const;

export const propertiesOf: Record<ObjectType, readonly Property[]> = {
  contacts: [
    readOnly("hs_object_id", "Record ID", "number"),
    readOnly("createdate", "Create Date", "datetime"),
    readOnly("lastmodifieddate", "Last Modified Date", "datetime"),
    readOnly("hs_merged_object_ids", "Merged record IDs", "enumeration"),
    property("firstname", "First Name"),
    property("lastname", "Last Name"),
    property("email", "Email"),
    property("phone", "Phone Number"),
    property("mobilephone", "Mobile Phone Number"),
    property("company", "Company Name"),
    property("jobtitle", "Job Title"),
    property("hubspot_owner_id", "Contact owner", "enumeration"),
    property("hs_lead_status", "Lead Status", "enumeration", leadStatuses),
    property("lifecyclestage", "Lifecycle Stage", "enumeration", lifecycleStages),
    property("budget", "Budget", "number"),
    property("next_step", "Next step"),
    readOnly("notes_next_activity_date", "Next Activity Date", "datetime"),
  ],
  calls: [
    readOnly("hs_object_id", "Record ID", "number"),
    readOnly("hs_createdate", "Create date", "datetime"),
    readOnly("hs_lastmodifieddate", "Last modified date", "datetime"),
    property("hs_timestamp", "Activity date", "datetime"),
    property("hs_call_title", "Call Title"),
    property("hs_call_body", "Call notes"),
    property("hs_call_duration", "Call duration", "number"),
    property("hs_call_direction", "Call direction", "enumeration", [
      ["INBOUND", "Inbound"],
      ["OUTBOUND", "Outbound"],
    ]),
    property("hs_call_disposition", "Call outcome", "enumeration", dispositions),
    property(
      "hs_call_status",
      "Call Status",
      "enumeration",
      statuses.split(" ").map((status) => [status, status] as const),
    ),
    property("hs_call_from_number", "From Number"),
    property("hs_call_to_number", "To Number"),
    property("hs_call_recording_url", "Recording URL"),
    property("hs_call_source", "Call source", "enumeration", [["INTEGRATIONS_PLATFORM", "Integrations platform"]]),
    property("hs_call_external_id", "External ID"),
    property("hubspot_owner_id", "Activity assigned to", "enumeration"),
  ],
};

/** The properties of a response if none are requested. */
export const defaultProperties: Record<ObjectType, readonly string[]> = {
  contacts: ["createdate", "email", "firstname", "hs_object_id", "lastmodifieddate", "lastname"],
  calls: ["hs_createdate", "hs_lastmodifieddate", "hs_object_id"],
};
/** The properties that every response contains. */
export const constantProperties: Record<ObjectType, readonly string[]> = {
  contacts: ["createdate", "hs_object_id", "lastmodifieddate"],
  calls: ["hs_createdate", "hs_lastmodifieddate", "hs_object_id"],
};

function fieldTypeOf(name: string, type: PropertyType): string {
  if (type === "enumeration") return "select";
  if (type === "datetime") return "date";
  if (type === "number") return "number";
  return name.endsWith("phone") ? "phonenumber" : "text";
}

/** As in GET /crm/v3/properties/{objectType}. */
export const describeProperty = ({ name, label, type, options, readOnly: fixed }: Property): object => ({
  name,
  label,
  type,
  fieldType: fieldTypeOf(name, type),
  description: "",
  groupName: "contactinformation",
  options: options.map(([value, text], displayOrder) => ({ label: text, value, displayOrder, hidden: false })),
  displayOrder: -1,
  calculated: false,
  externalOptions: name === "hubspot_owner_id",
  hasUniqueValue: name === "email" || name === "hs_object_id",
  hidden: false,
  hubspotDefined: true,
  modificationMetadata: { archivable: true, readOnlyDefinition: true, readOnlyValue: fixed },
  formField: !fixed,
});

/** Validates values to be written. Returns the API's error text, or null. */
export function refuseValues(type: ObjectType, values: Record<string, string>): string | null {
  const problems = Object.entries(values).flatMap(([name, value]) => {
    const known = propertiesOf[type].find((one) => one.name === name);
    const problem = (error: string, message: string) => [{ isValid: false, message, error, name }];
    if (known === undefined) return problem("PROPERTY_DOESNT_EXIST", `Property "${name}" does not exist`);
    if (known.readOnly) return problem("READ_ONLY_VALUE", `"${name}" is a read only property`);
    if (value === "") return [];
    if (known.type === "enumeration" && known.options.length > 0 && !known.options.some(([one]) => one === value))
      return problem("INVALID_OPTION", `${value} was not one of the allowed options`);
    if (known.type === "number" && !/^-?\d+(\.\d+)?$/.test(value))
      return problem("INVALID_INTEGER", `${value} was not a valid number`);
    if (known.type === "datetime" && readTime(value) === null)
      return problem("INVALID_DATE", `${value} was not a valid long or ISO 8601 date`);
    if (name === "email" && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(value))
      return problem("INVALID_EMAIL", `Email address ${value} is invalid`);
    return [];
  });
  return problems.length === 0 ? null : `Property values were not valid: ${JSON.stringify(problems)}`;
}

/** Parses milliseconds since 1970 or ISO 8601. */
export function readTime(value: string): number | null {
  const ms = /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}
