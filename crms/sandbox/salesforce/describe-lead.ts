import { leadSources, statuses } from "./make-leads.ts";

interface Field {
  name: string;
  label: string;
  type: string;
  picklist?: readonly string[];
}

const fields: readonly Field[] = [
  { name: "Id", label: "Lead ID", type: "id" },
  { name: "LastName", label: "Last Name", type: "string" },
  { name: "FirstName", label: "First Name", type: "string" },
  { name: "Title", label: "Title", type: "string" },
  { name: "Company", label: "Company", type: "string" },
  { name: "Phone", label: "Phone", type: "phone" },
  { name: "MobilePhone", label: "Mobile Phone", type: "phone" },
  { name: "Email", label: "Email", type: "email" },
  { name: "LeadSource", label: "Lead Source", type: "picklist", picklist: leadSources },
  { name: "Status", label: "Status", type: "picklist", picklist: Object.values(statuses) },
  { name: "OwnerId", label: "Owner ID", type: "reference" },
  { name: "IsConverted", label: "Converted", type: "boolean" },
  { name: "Budget__c", label: "Budget", type: "currency" },
  { name: "Next_Step__c", label: "Next Step", type: "string" },
  { name: "CreatedDate", label: "Created Date", type: "datetime" },
  { name: "LastModifiedDate", label: "Last Modified Date", type: "datetime" },
  { name: "SystemModstamp", label: "System Modstamp", type: "datetime" },
];

/** sObject Describe of Lead, with the properties of a field that clients read (REST API Developer Guide, sObject Describe). */
export const describeLead = {
  name: "Lead",
  label: "Lead",
  custom: false,
  queryable: true,
  updateable: true,
  createable: true,
  fields: fields.map(({ name, label, type, picklist = [] }) => ({
    name,
    label,
    type,
    custom: name.endsWith("__c"),
    deprecatedAndHidden: false,
    nillable: !["Id", "LastName", "Company", "Status", "OwnerId"].includes(name),
    referenceTo: name === "OwnerId" ? ["Group", "User"] : [],
    relationshipName: name === "OwnerId" ? "Owner" : null,
    picklistValues: picklist.map((value, index) => ({
      active: true,
      defaultValue: index === 0,
      label: value,
      validFor: null,
      value,
    })),
  })),
};
