import { describe, expect, it } from "vitest";
import type { Tested } from "../crm-conformance.ts";
import { faultOf, idsOf } from "./crm-hands.ts";

export function describeLeads({ test, connect, read, readSome, readAll }: Tested): void {
  describe("leads", () => {
    it("arrive complete, each once, over several pages", async () => {
      const { leads, pages } = await readAll(await connect(), null);
      expect(pages).toBeGreaterThan(1);
      expect(new Set(idsOf(leads)).size).toBe(leads.length);
      expect(leads.length).toBe(test().leadCount());
      for (const lead of leads) expect(lead.firstName + lead.lastName).not.toBe("");
    });

    it("contain their companies, job titles and address in the CRM", async () => {
      const { leads } = await readAll(await connect(), null);
      expect(leads.filter(({ company, jobTitle }) => company !== "" && jobTitle !== "")).not.toEqual([]);
      const urls = leads.flatMap(({ url }) => (url !== null && /^(https:\/)?\/[^/]/.test(url) ? [url] : []));
      expect(new Set(urls).size).toBe(leads.length);
    });

    it("name their owners", async () => {
      const { leads } = await readAll(await connect(), null);
      const owners = leads.flatMap(({ owner }) => owner ?? []);
      expect(owners.filter(({ name, email }) => name !== "" && email.includes("@"))).not.toEqual([]);
    });

    it("continue from any page's cursor, over another connection too, without a gap or a repetition", async () => {
      const first = await read(await connect(), null);
      const rest = await readAll(await connect(), first.cursor);
      const all = [...idsOf(first.leads), ...idsOf(rest.leads)];
      expect(all.length).toBe(test().leadCount());
      expect(new Set(all).size).toBe(all.length);
    });

    it("requested by id arrive as they are now, and missing ones are reported as deleted", async () => {
      const grant = await connect();
      const [first, second] = (await read(grant, null)).leads;
      const changed = await test().changeLead({ lastName: "Renamed" });
      const gone = await test().deleteLead();
      const some = await readSome(grant, [first?.externalId ?? "", changed, gone]);
      expect(some.leads.find(({ externalId }) => externalId === changed)?.lastName).toBe("Renamed");
      expect(some.leads.find(({ externalId }) => externalId === first?.externalId)).toEqual(first);
      expect(idsOf(some.leads)).not.toContain(second?.externalId);
      expect(some.deleted).toEqual([gone]);
      test().expireAccess();
      expect(await faultOf(readSome(grant, [changed]))).toBe("access-refused");
    });

    it("arrive later only if they changed, with deletions if the CRM reports them", async () => {
      const grant = await connect();
      const before = await readAll(grant, null);
      const changed = await test().changeLead({ lastName: "Renamed" });
      const gone = await test().deleteLead();
      const after = await readAll(grant, before.cursor);
      expect(after.leads.find(({ externalId }) => externalId === changed)?.lastName).toBe("Renamed");
      expect(after.deleted.includes(gone)).toBe(test().tellsDeletions);
      expect(idsOf(after.leads)).not.toContain(gone);
      expect(after.leads.length).toBeLessThan(before.leads.length / 2);
    });
  });
}
