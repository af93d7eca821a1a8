import { describe, expect, it } from "vitest";
import type { Tested } from "../crm-conformance.ts";
import { suggestMapping } from "../suggest-mapping.ts";
import { faultOf, idsOf } from "./crm-hands.ts";

export function describeMappings({ test, connect, readAll, mapping }: Tested): void {
  describe("leads", () => {
    it("come from the chosen source, with fields that it describes", async () => {
      const { crm, sourceName } = test();
      const { sources, defaultMapping } = crm;
      const grant = await connect();
      const all = await sources.list(grant);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      const source = all.find(({ name }) => name === sourceName)?.id ?? "";
      const fields = await sources.describeFields(grant, source);
      const known = new Set(fields.map(({ id }) => id));
      const chosen = defaultMapping?.fields ?? suggestMapping(fields);
      for (const id of Object.values(chosen)) expect(id === null || known.has(id)).toBe(true);
      expect(await faultOf(sources.describeFields(grant, "../nowhere"))).toBe("refused");
      expect(defaultMapping ?? { source, sourceName }).toMatchObject({ source, sourceName });
      const unmapped = defaultMapping === null ? await faultOf(crm.readLeads(grant, null, null)) : "refused";
      expect(unmapped).toBe("refused");
    });

    it("start from the beginning with another source's cursor", async (context) => {
      const { crm, sourceName } = test();
      const grant = await connect();
      const other = (await crm.sources.list(grant)).find(({ name }) => name !== sourceName);
      if (other === undefined) return context.skip("its leads are of one kind");
      const { cursor } = await readAll(grant, null);
      const ofOther = {
        source: other.id,
        sourceName: other.name,
        fields: suggestMapping([]),
        custom: [],
        statuses: {},
      };
      await crm.readLeads(grant, cursor, ofOther);
      const fromOther = (await crm.readLeads(grant, null, ofOther)).cursor;
      expect((await readAll(grant, fromOther)).leads.length).toBe(test().leadCount());
    });

    it("follow their mapping: other fields, custom ones, and statuses by value", async () => {
      const { crm } = test();
      const grant = await connect();
      const usual = await mapping();
      const fields = await crm.sources.describeFields(grant, usual.source);
      const status = fields.find(({ id }) => id === usual.fields.status);
      const statuses = Object.fromEntries((status?.options ?? []).map(({ value }) => [value, "Nurturing" as const]));
      const custom = fields
        .filter(({ id, kind }) => kind === "choice" || id === usual.fields.company)
        .map(({ id, name, options = [] }) => ({
          id,
          name,
          labels: Object.fromEntries(options.map(({ value, label }) => [value, label])),
        }));
      const given = { ...usual, fields: { ...usual.fields, jobTitle: usual.fields.company }, custom, statuses };
      const before = (await crm.readLeads(grant, null, usual)).leads;
      const { leads } = await crm.readLeads(grant, null, given);
      expect(idsOf(leads)).toEqual(idsOf(before));
      for (const [index, lead] of leads.entries()) {
        expect(lead.jobTitle).toBe(before[index]?.company);
        const shown = new Map(lead.customFields?.map(({ name, value }) => [name, value]));
        expect(shown.get(fields.find(({ id }) => id === usual.fields.company)?.name ?? "")).toBe(lead.company);
        expect(status?.options?.map(({ label }) => label)).toContain(shown.get(status?.name ?? ""));
      }
      expect(before.map((lead) => lead.status)).toContain("Working");
      expect(leads.map((lead) => lead.status)).toContain("Nurturing");
      expect(leads.map((lead) => lead.status)).not.toContain("Working");
      const [some] = (await crm.readSome(grant, idsOf(leads).slice(0, 1), given)).leads;
      expect(some).toEqual(leads[0]);
    });
  });
}
