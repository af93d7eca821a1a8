import { CrmError, type CrmSandbox, type CrmSources } from "@leadline/adapter-kit/crm";
import type { CrmField } from "@leadline/contract/crm-mapping";
import type { Api } from "./api.ts";
import { describeLead } from "./describe-lead.ts";
import { defaultMapping, toStatus } from "./mapping.ts";

const kinds: Record<string, CrmField["kind"]> = {
  string: "text",
  textarea: "text",
  url: "text",
  combobox: "text",
  email: "email",
  phone: "phone",
  picklist: "choice",
  multipicklist: "choice",
};
/** What has no value that people read: compound fields, files, and references other than the owner. */
const unreadable = new Set(["address", "location", "base64", "id", "anyType", "complexvalue", "reference"]);

/** One source, the object Lead. Its fields are those that the connected person may see. */
export function createSources(api: Api, sandbox: CrmSandbox | null): CrmSources {
  return {
    list: async () => [{ id: defaultMapping.source, name: defaultMapping.sourceName, within: "" }],
    async describeFields(grant, source) {
      if (source !== defaultMapping.source) throw new CrmError("refused", "Leads come from Salesforce’s leads alone.");
      const fields = await describeLead(api, sandbox, grant);
      return fields
        .filter(
          ({ name, type, deprecatedAndHidden }) =>
            !deprecatedAndHidden && (name === "OwnerId" || !unreadable.has(type)),
        )
        .map(({ name, label, type, picklistValues }) => {
          if (name === "OwnerId") return { id: name, name: "Lead Owner", kind: "person" as const };
          const kind = kinds[type] ?? "other";
          if (kind !== "choice") return { id: name, name: label, kind };
          const options = picklistValues
            .filter(({ active }) => active)
            .map((one) => ({ value: one.value, label: one.label ?? one.value, status: toStatus(one.value) }));
          return { id: name, name: label, kind, options };
        });
    },
  };
}
