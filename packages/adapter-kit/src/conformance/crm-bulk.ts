import { describe, expect, it, type TestContext } from "vitest";
import type { CrmBulk, CrmLead } from "../crm.ts";
import type { Tested } from "../crm-conformance.ts";
import { faultOf, idsOf } from "./crm-hands.ts";

const byId = (leads: readonly CrmLead[]): CrmLead[] => leads.toSorted((a, b) => (a.externalId < b.externalId ? -1 : 1));

export function describeBulk({ test, connect, read, readAll, mapping }: Tested): void {
  const bulkOf = (context: TestContext): CrmBulk => test().crm.bulk ?? context.skip("it prepares no leads at once");

  describe("leads prepared at once", () => {
    it("are the same as page by page, each once, and arrive later only if they changed", async (context) => {
      const bulk = bulkOf(context);
      const grant = await connect();
      const begun = await bulk.begin(grant, await mapping());
      const all = await readAll(grant, begun);
      expect(byId(all.leads)).toEqual(byId((await readAll(grant, null)).leads));
      expect(all.leads.length).toBe(test().leadCount());
      const changed = await test().changeLead({ lastName: "Prepared" });
      const gone = await test().deleteLead();
      const after = await readAll(grant, all.cursor);
      expect(after.leads.find(({ externalId }) => externalId === changed)?.lastName).toBe("Prepared");
      expect(after.deleted.includes(gone)).toBe(test().tellsDeletions);
      expect(after.leads.length).toBeLessThan(all.leads.length / 2);
    });

    it("continue from any cursor, over another connection, after lost answers, without a gap or a repetition", async (context) => {
      const bulk = bulkOf(context);
      let cursor = await bulk.begin(await connect(), await mapping());
      const leads: CrmLead[] = [];
      for (let done = false; !done;) {
        const grant = await connect();
        test().fail({ loseAnswer: true });
        await read(grant, cursor).catch(() => {});
        const page = await read(grant, cursor);
        leads.push(...page.leads);
        ({ cursor, done } = page);
      }
      expect(leads.length).toBe(test().leadCount());
      expect(new Set(idsOf(leads)).size).toBe(leads.length);
    });

    it("end with the access", async (context) => {
      const bulk = bulkOf(context);
      const grant = await connect();
      const begun = await bulk.begin(grant, await mapping());
      test().expireAccess();
      expect(await faultOf(bulk.begin(grant, await mapping()))).toBe("access-refused");
      expect(await faultOf(read(grant, begun))).toBe("access-refused");
    });
  });
}
