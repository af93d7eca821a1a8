import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CrmError, type CrmGrant } from "../crm.ts";
import type { CrmReport, Tested } from "../crm-conformance.ts";
import type { CrmWebhookRequest, CrmWebhooks } from "../crm-webhooks.ts";

const asRequest = ({ body, ...report }: CrmReport): CrmWebhookRequest => ({ ...report, body: Buffer.from(body) });
const changesIn = (webhooks: CrmWebhooks, report: CrmReport) => {
  const read = webhooks.read(asRequest(report));
  return "changes" in read ? read.changes : read;
};
const soon = { timeout: 30_000, interval: 20 };

/** Of a CRM that reports changes by itself. */
export function describeWebhooks({ test, connect, mapping }: Tested): void {
  describe("webhooks", () => {
    const address = (key: string) => new URL(`https://leadline.example/reports?key=${key}`);
    /** Reports of changes, without the CRM's requests for a confirmation. */
    let reports: CrmReport[];
    let answers: number[];
    let webhooks: CrmWebhooks;
    let grant: CrmGrant;
    const subscribe = async (key: string) => {
      if (webhooks.addressedBy === "key") await webhooks.subscribe(grant, await mapping(), address(key));
    };
    beforeEach(async (context) => {
      const known = test().crm.webhooks;
      if (known === null) return context.skip("it doesn't report changes");
      webhooks = known;
      grant = await connect();
      [reports, answers] = [[], []];
      let awaited = 0;
      test().sendReports({
        url: address("first"),
        async send(report) {
          const read = known.addressedBy === "key" ? known.read(asRequest(report)) : null;
          if (known.addressedBy === "key" && read?.confirmation) {
            await known.confirm(grant, read.confirmation);
            awaited += 1;
            return 204;
          }
          reports.push(report);
          return answers.shift() ?? 204;
        },
      });
      await subscribe("first");
      // One for each kind of change.
      if (known.addressedBy === "key") await vi.waitFor(() => expect(awaited).toBe(3), soon);
    });
    afterEach(async () => {
      if (test().crm.webhooks === null) return;
      if (webhooks.addressedBy === "key")
        for (const key of ["first", "second"])
          await webhooks.unsubscribe(grant, (await mapping()).source, address(key));
      test().sendReports(null);
    });
    const received = (most: number) => vi.waitFor(() => expect(reports).toHaveLength(most), soon);

    it("report which lead has changed, each change by another event", async () => {
      const id = await test().changeLead({ lastName: "Reported" });
      await test().changeLead({ lastName: "Reported again" });
      await received(2);
      const changes = reports.flatMap((report) => changesIn(webhooks, report));
      expect(new Set(changes.map(({ leadExternalId }) => leadExternalId))).toEqual(new Set([id]));
      expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(changes.length);
    });

    it("report the same event when a delivery is repeated", async () => {
      answers = [500];
      await test().changeLead({ lastName: "Repeated" });
      await received(2);
      const [first, second] = reports.map((report) => changesIn(webhooks, report));
      expect(first).toEqual(second);
      expect(first).not.toEqual([]);
    });

    it("are refused if a byte was changed or a header is missing, where they are signed", async (context) => {
      if (webhooks.addressedBy !== "account") return context.skip("it doesn't sign them");
      await test().changeLead({ lastName: "Genuine" });
      await received(1);
      const [report] = reports;
      if (report === undefined) throw new Error("nothing was reported");
      const { body, headers } = report;
      for (const at of [0, Math.floor(body.length / 2), body.length - 1]) {
        const changed = body.slice(0, at) + (body[at] === " " ? "x" : " ") + body.slice(at + 1);
        expect(() => changesIn(webhooks, { ...report, body: changed })).toThrow(CrmError);
      }
      expect(() => changesIn(webhooks, { ...report, headers: {} })).toThrow(CrmError);
      for (const name of Object.keys(headers).filter((one) => /signature|timestamp/.test(one))) {
        const { [name]: _, ...others } = headers;
        if (name.endsWith("version")) continue;
        expect(() => changesIn(webhooks, { ...report, headers: others })).toThrow(CrmError);
      }
    });

    it("are refused if they can't be understood", () => {
      for (const body of ["", "[]", "{}", "type=&id=../1"])
        expect(() => changesIn(webhooks, { method: "POST", url: address("first"), headers: {}, body })).toThrow(
          CrmError,
        );
    });

    it("are subscribed to once, however often that is asked, until it is undone", async (context) => {
      if (webhooks.addressedBy !== "key") return context.skip("its vendor's app settings have the address");
      await subscribe("first");
      await test().changeLead({ lastName: "Told once" });
      await received(1);
      const { source } = await mapping();
      await webhooks.unsubscribe(grant, source, address("first"));
      await webhooks.unsubscribe(grant, source, address("first"));
      await test().changeLead({ lastName: "Told nobody" });
      reports = [];
      await subscribe("second");
      await vi.waitFor(async () => {
        await test().changeLead({ lastName: `Told again ${reports.length}` });
        expect(reports).not.toEqual([]);
      }, soon);
      // In the order of the changes.
      expect(new Set(reports.map(({ url }) => url.searchParams.get("key")))).toEqual(new Set(["second"]));
    });
  });
}
