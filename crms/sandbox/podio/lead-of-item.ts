import type { SandboxLead } from "../sandbox-crm.ts";
import { leadFields, stages } from "./apps.ts";
import { contacts, profileOf } from "./contacts.ts";
import type { Item } from "./store.ts";

/** An item of the app with people, as a lead. */
export function toSandboxLead({ itemId, values }: Item): SandboxLead {
  const read = (field: keyof typeof leadFields): string => {
    const value = values[String(leadFields[field])]?.[0]?.["value"];
    return typeof value === "object" && value !== null ? String(Object(value).text) : String(value ?? "");
  };
  const profileId: unknown = Object(values[String(leadFields.responsible)]?.[0]?.["value"]).profile_id;
  return {
    id: String(itemId),
    firstName: read("firstName"),
    lastName: read("lastName"),
    email: read("email"),
    phone: read("phone"),
    company: read("company"),
    jobTitle: read("jobTitle"),
    nextStep: read("nextStep"),
    status: read("stage"),
    owner: profileOf(profileId)?.mail[0] ?? "",
  };
}

/** As the API takes them. */
export function toItemFields(change: Partial<Omit<SandboxLead, "id">>): Record<string, unknown> {
  const typed = (value: string) => (value === "" ? [] : [{ type: "work", value }]);
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => {
      if (name === "status") return [leadFields.stage, [stages.find(({ text }) => text === value)?.id ?? 0]];
      if (name === "owner")
        return [
          leadFields.responsible,
          contacts.flatMap((one) => (one.value.mail[0] === value ? [one.value.profile_id] : [])),
        ];
      const id = leadFields[name as Exclude<keyof typeof leadFields, "stage" | "responsible">];
      return [id, name === "email" || name === "phone" ? typed(value) : value === "" ? [] : value];
    }),
  );
}
