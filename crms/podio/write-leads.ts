import { ownerText } from "@leadline/adapter-kit/apply-mapping";
import { CrmError, type CrmGrant } from "@leadline/adapter-kit/crm";
import type { CrmLeadChange, CrmLeadWriter } from "@leadline/adapter-kit/crm-lead-writer";
import { valuesToWrite } from "@leadline/adapter-kit/values-to-write";
import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import { type Api, Forbidden, Invalid, ItemChanged, ItemGone } from "./api.ts";
import { appIdOf } from "./sources.ts";

const Id = z.string().regex(/^\d{1,20}$/);
const Created = z.object({ item_id: z.int().positive() });
const Settings = z.object({
  possible_types: z.array(z.string()).default([]),
  options: z.array(z.object({ id: z.int(), text: z.string(), status: z.string().default("active") })).default([]),
});
const App = z.object({
  space_id: z.int(),
  fields: z.array(
    z.object({
      field_id: z.int(),
      type: z.string(),
      config: z.object({ label: z.string(), settings: Settings.nullish().catch(null) }),
    }),
  ),
});
type Field = z.output<typeof App>["fields"][number];
const Values = z.object({
  fields: z.array(z.object({ field_id: z.int(), values: z.array(z.record(z.string(), z.unknown())).default([]) })),
});
type Values = z.output<typeof Values>["fields"];

/** Of the workspace's members and contacts. */
const Profiles = z.array(
  z.object({ profile_id: z.int(), name: z.string().default(""), mail: z.array(z.string()).default([]) }),
);

/** Items are created with our id as their external_id, by which Podio finds them (Items API). */
export function createLeadWriter(api: Api): CrmLeadWriter {
  async function toFields(grant: CrmGrant, { mapping, change, before }: Writing): Promise<Record<string, unknown>> {
    const { body: app } = await api.ask(App, { grant, path: `/app/${appIdOf(mapping.source)}` });
    const written: Record<string, unknown> = {};
    for (const [id, value] of valuesToWrite(mapping, change)) {
      const field = app.fields.find(({ field_id }) => String(field_id) === id);
      if (field === undefined)
        throw new CrmError("refused", "A mapped field no longer exists in Podio. Map the fields again.");
      const kept = before.find(({ field_id }) => String(field_id) === id)?.values ?? [];
      const isOwner = id === mapping.fields.owner && field.type === "contact";
      written[id] = isOwner ? (value === "" ? [] : [Number(value)]) : toValues(field, value, kept);
    }
    return written;
  }

  return {
    async ownerValue(grant, owner, { source, fields }) {
      if (fields.owner === null || owner === null) return "";
      const { body: app } = await api.ask(App, { grant, path: `/app/${appIdOf(source)}` });
      const field = app.fields.find(({ field_id }) => String(field_id) === fields.owner);
      if (field?.type !== "contact") return ownerText(owner);
      const path = `/contact/space/${app.space_id}/?type=full&limit=500`;
      const { body: profiles } = await api.ask(Profiles, { grant, path });
      const email = owner.email.toLowerCase();
      const found = profiles.find(({ name, mail }) =>
        email === "" ? name === owner.name : mail.some((one) => one.toLowerCase() === email),
      );
      return found === undefined ? null : String(found.profile_id);
    },
    async find(grant, { leadId }, mapping) {
      const path = `/item/app/${appIdOf(mapping.source)}/external_id/${z.uuid().parse(leadId)}`;
      try {
        return String((await api.ask(Created, { grant, path })).body.item_id);
      } catch (error) {
        if (error instanceof ItemGone) return null;
        throw error;
      }
    },
    create: (grant, lead, mapping) =>
      inPlainWords(async () => {
        const fields = await toFields(grant, { mapping, change: lead, before: [] });
        const path = `/item/app/${appIdOf(mapping.source)}/?silent=true`;
        const { body } = await api.ask(Created, { grant, path, body: { external_id: lead.leadId, fields } });
        return String(body.item_id);
      }),
    update: (grant, externalId, change, mapping) =>
      inPlainWords(async () => {
        const path = `/item/${Id.parse(externalId)}`;
        try {
          const { body } = await api.ask(Values, { grant, path: `${path}?mark_as_viewed=false` });
          const fields = await toFields(grant, { mapping, change, before: body.fields });
          const revision = change.version === undefined ? {} : { revision: Number(change.version) };
          await api.put({ grant, path: `${path}?silent=true`, body: { ...revision, fields } });
          return "written";
        } catch (error) {
          if (error instanceof ItemGone) return "gone";
          if (error instanceof ItemChanged) return "changed";
          throw error;
        }
      }),
  };
}

interface Writing {
  mapping: CrmMapping;
  change: CrmLeadChange;
  before: Values;
}

/** A field's values as Podio takes them. An email or phone keeps its type, and further ones stay. */
function toValues({ type, config }: Field, value: string, kept: Values[number]["values"]): unknown {
  const { options = [], possible_types: types = [] } = config.settings ?? {};
  if (type === "text") return value === "" ? [] : value;
  if (type === "email" || type === "phone") {
    const [first, ...others] = kept.map(({ type: of, value: known }) => ({ type: of, value: known }));
    return value === "" ? others : [{ type: first?.type ?? types[0] ?? "other", value }, ...others];
  }
  if (type === "category") {
    const option = options.find(({ text, status }) => text === value && status === "active");
    if (option !== undefined) return [option.id];
    if (value === "") return [];
    throw new CrmError("refused", `“${value}” is no longer a choice of “${config.label}” in Podio.`);
  }
  throw new CrmError(
    "refused",
    `Leadline can’t change “${config.label}” in Podio, because of its kind. Change it there, or map another field.`,
  );
}

async function inPlainWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Forbidden)
      throw new CrmError("refused", "The connected Podio account may not change this item.", { cause: error });
    if (!(error instanceof Invalid)) throw error;
    throw new CrmError("refused", `Podio didn’t accept it: ${error.detail}`.slice(0, 300), { cause: error });
  }
}
