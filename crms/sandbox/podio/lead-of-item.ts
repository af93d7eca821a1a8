import type { SandboxLead } from "../sandbox-crm.ts";
import { leadFields, stages } from "./apps.ts";
import type { Item } from "./store.ts";

/** An item of the app with people, as a lead. */
export function toSandboxLead({ itemId, values }: Item): SandboxLead {
  const read = (field: keyof typeof leadFields): string => {
    const value = values[String(leadFields[field])]?.[0]?.["value"];
    return typeof value === "object" && value !== null ? String(Object(value).text) : String(value ?? "");
  };
  return {
    id: String(itemId),
    firstName: read("firstName"),
    lastName: read("lastName"),
    email: read("email"),
    phone: read("phone"),
    company: read("company"),
    jobTitle: read("jobTitle"),
    status: read("stage"),
  };
}

/** As the API takes them. */
export function toItemFields(change: Partial<Omit<SandboxLead, "id">>): Record<string, unknown> {
  const typed = (value: string) => (value === "" ? [] : [{ type: "work", value }]);
  return Object.fromEntries(
    Object.entries(change).map(([name, value]) => {
      if (name === "status") return [leadFields.stage, [stages.find(({ text }) => text === value)?.id ?? 0]];
      const id = leadFields[name as Exclude<keyof typeof leadFields, "stage" | "responsible">];
      return [id, name === "email" || name === "phone" ? typed(value) : value === "" ? [] : value];
    }),
  );
}
