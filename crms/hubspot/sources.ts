import { CrmError, type CrmSources } from "@leadline/adapter-kit/crm";
import type { CrmField } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import type { Api } from "./api.ts";
import { defaultMapping, toStatus } from "./mapping.ts";

const Properties = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      fieldType: z.string().default(""),
      hidden: z.boolean().default(false),
      options: z
        .array(z.object({ value: z.string(), label: z.string(), hidden: z.boolean().default(false) }))
        .default([]),
    }),
  ),
});

function kindOf({ name, type, fieldType }: { name: string; type: string; fieldType: string }): CrmField["kind"] {
  if (name === "hubspot_owner_id") return "person";
  if (name === "email") return "email";
  if (fieldType === "phonenumber" || type === "phone_number") return "phone";
  if (type === "enumeration") return "choice";
  return type === "string" ? "text" : "other";
}

/** One source, contacts, with every property that people see. */
export function createSources(api: Api): CrmSources {
  return {
    list: async () => [{ id: defaultMapping.source, name: defaultMapping.sourceName, within: "" }],
    async describeFields(grant, source) {
      if (source !== defaultMapping.source) throw new CrmError("refused", "Leads only come from HubSpot’s contacts.");
      const { body } = await api.ask(Properties, { grant, path: "/crm/v3/properties/contacts" });
      return body.results
        .filter(({ hidden }) => !hidden)
        .map((property) => {
          const kind = kindOf(property);
          const field = { id: property.name, name: property.label, kind };
          if (kind !== "choice") return field;
          const shown = property.options.filter((option) => !option.hidden);
          return { ...field, options: shown.map(({ value, label }) => ({ value, label, status: toStatus(value) })) };
        });
    },
  };
}
