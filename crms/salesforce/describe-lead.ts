import type { CrmGrant, CrmSandbox } from "@leadline/adapter-kit/crm";
import { z } from "zod";
import type { Api } from "./api.ts";
import { instanceOf, restPath } from "./rest-path.ts";

const Described = z.object({
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.string(),
      deprecatedAndHidden: z.boolean().default(false),
      picklistValues: z
        .array(z.object({ value: z.string(), label: z.string().nullish(), active: z.boolean().default(true) }))
        .default([]),
    }),
  ),
});
type DescribedField = z.output<typeof Described>["fields"][number];

/** The fields of Lead that the connected user may see. */
export async function describeLead(api: Api, sandbox: CrmSandbox | null, grant: CrmGrant): Promise<DescribedField[]> {
  const url = new URL(restPath("sobjects/Lead/describe"), instanceOf(grant, sandbox?.domain ?? null));
  const { body } = await api.getJson(Described, { url, accessToken: grant.accessToken });
  return body.fields;
}
