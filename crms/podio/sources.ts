import { CrmError, type CrmGrant, type CrmSources } from "@leadline/adapter-kit/crm";
import type { CrmSource } from "@leadline/contract/crm-mapping";
import { z } from "zod";
import type { Api } from "./api.ts";
import { kindOf, toStatus } from "./mapping.ts";

const Orgs = z.array(
  z.object({
    name: z.string(),
    spaces: z.array(z.object({ space_id: z.int(), name: z.string() })).default([]),
  }),
);
const Apps = z.array(
  z.object({ app_id: z.int(), status: z.string().default("active"), config: z.object({ name: z.string() }) }),
);
/** A category's options. */
const Settings = z.object({
  options: z.array(z.object({ text: z.string(), status: z.string().default("active") })).default([]),
});
const App = z.object({
  fields: z.array(
    z.object({
      field_id: z.int(),
      type: z.string(),
      status: z.string().default("active"),
      config: z.object({ label: z.string(), settings: Settings.nullish().catch(null) }),
    }),
  ),
});

/** Each workspace costs one of a thousand requests an hour. */
const maxSpaces = 100;

/** A source is a Podio app: a table that users created in one of their workspaces. */
export function createSources(api: Api): CrmSources {
  return {
    async list(grant) {
      const { body: orgs } = await api.ask(Orgs, { grant, path: "/org/" });
      const spaces = orgs.flatMap((org) => org.spaces.map((space) => ({ ...space, org: org.name })));
      const sources: CrmSource[] = [];
      // Sequentially, because of Podio's limits. A person has few.
      for (const { space_id, name, org } of spaces.slice(0, maxSpaces)) {
        const { body: apps } = await api.ask(Apps, { grant, path: `/app/space/${space_id}/` });
        for (const { app_id, status, config } of apps)
          if (status === "active") sources.push({ id: String(app_id), name: config.name, within: `${org} › ${name}` });
      }
      return sources;
    },
    async describeFields(grant: CrmGrant, source: string) {
      const { body } = await api.ask(App, { grant, path: `/app/${appIdOf(source)}` });
      return body.fields
        .filter(({ status }) => status === "active")
        .map(({ field_id, type, config }) => {
          const described = { id: String(field_id), name: config.label, kind: kindOf(type) };
          if (described.kind !== "choice") return described;
          const texts = (config.settings?.options ?? []).flatMap(({ text, status }) =>
            status === "active" ? [text] : [],
          );
          return { ...described, options: texts.map((text) => ({ value: text, label: text, status: toStatus(text) })) };
        });
    },
  };
}

/** Must be a number, so that nothing else gets into a path. */
export function appIdOf(source: string): number {
  if (/^\d{1,15}$/.test(source)) return Number(source);
  throw new CrmError("refused", "This isn’t a Podio app. Choose another.");
}
