import { LeadField, type PartialLeadMapping } from "@leadline/contract/lead-imports";

/** Column names used by other programs, in lower case. */
const names: Record<LeadField, readonly string[]> = {
  firstName: ["firstname", "first", "givenname", "forename", "vorname"],
  lastName: ["lastname", "last", "surname", "familyname", "nachname", "name", "fullname", "contact"],
  email: ["email", "emailaddress", "mail", "e", "workemail"],
  phone: [
    "phone",
    "phonenumber",
    "telephone",
    "tel",
    "mobile",
    "mobilephone",
    "cell",
    "phone1",
    "businessphone",
    "telefon",
  ],
  company: ["company", "companyname", "organisation", "organization", "account", "accountname", "employer", "firma"],
  jobTitle: ["jobtitle", "job", "title", "position", "role"],
  status: ["status", "leadstatus", "stage"],
  nextStep: ["nextstep", "nextaction", "todo"],
  followUpOn: ["followupon", "followup", "callback", "callbackon", "followupdate"],
};

/** Maps each field to the first column with a matching name; a column maps to one field only. */
export function suggestMapping(columns: readonly string[]): PartialLeadMapping {
  const plain = columns.map((column) => column.toLowerCase().replaceAll(/[^a-z0-9]/g, ""));
  const mapping: PartialLeadMapping = {};
  for (const field of LeadField.options) {
    const ranked = names[field].map((name) => plain.indexOf(name)).find((index) => index >= 0);
    if (ranked !== undefined) mapping[field] = ranked;
  }
  return mapping;
}
