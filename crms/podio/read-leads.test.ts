import type { Crm, CrmGrant } from "@leadline/adapter-kit/crm";
import { suggestMapping } from "@leadline/adapter-kit/suggest-mapping";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { startSandboxCrm } from "@leadline/crm-sandbox/podio/server";
import type { SandboxCrm } from "@leadline/crm-sandbox/sandbox-crm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { crm } from "./server.ts";

const callbackUrl = "https://leadline.example/integrations/podio/callback";
const firstId = 2_800_000_001;
const appId = 25_110_001;

let sandbox: SandboxCrm;
let opened: Crm;
let grant: CrmGrant;
let read: (cursor: string | null) => ReturnType<Crm["readLeads"]>;

beforeEach(async () => {
  sandbox = await startSandboxCrm({ file: null, publicUrl: new URL(callbackUrl) }, { maxItems: 100 });
  opened = crm.open({}, { sandbox });
  const login = { workspace: sandbox.domain, callbackUrl };
  const url = opened.authoriseUrl({ ...login, state: "state", codeChallenge: "" });
  const code = answerConsent(sandbox, url, "allow").searchParams.get("code") ?? "";
  grant = await opened.exchangeCode({ ...login, code, codeVerifier: "" });
  const fields = suggestMapping(await opened.sources.describeFields(grant, String(appId)));
  const mapping = { source: String(appId), sourceName: "Leads", fields, custom: [], statuses: {} };
  read = (cursor) => opened.readLeads(grant, cursor, mapping);
});
afterEach(async () => {
  opened.close();
  await sandbox.close();
});

async function readToTheEnd(cursor: string | null, between: () => void = () => {}) {
  const names = new Map<string, string>();
  let [from, records] = [cursor, 0];
  for (;;) {
    const page = await read(from);
    records += page.leads.length;
    for (const { externalId, lastName } of page.leads) names.set(externalId, lastName);
    from = page.cursor;
    if (page.done) return { names, records, cursor: page.cursor };
    between();
  }
}
const remove = (id: number) => sandbox.ask({ method: "DELETE", path: `/item/${id}` });
const rename = (id: number, lastName: string) =>
  sandbox.ask({ method: "PUT", path: `/item/${id}`, body: { fields: { "last-name": lastName } } });

describe("the first read", () => {
  it.each([1, 19, 21, 60])(
    "misses nobody even if %i items that were read are deleted after each page",
    async (count) => {
      let next = firstId;
      const left = new Set(Array.from({ length: 250 }, (_, index) => String(firstId + index)));
      const { names } = await readToTheEnd(null, () => {
        for (let index = 0; index < count; index += 1, next += 1) {
          remove(next);
          left.delete(String(next));
        }
      });
      expect([...left].filter((id) => !names.has(id))).toEqual([]);
    },
  );

  it("returns each item once although pages overlap, and again if it is edited meanwhile", async () => {
    const first = await readToTheEnd(null, () => rename(firstId, "Edited"));
    expect([first.names.size, first.records]).toEqual([250, 250]);
    expect((await readToTheEnd(first.cursor)).names.get(String(firstId))).toBe("Edited");
  });
});

describe("a later read", () => {
  it("finds changes while other items change and are deleted", async () => {
    const { cursor } = await readToTheEnd(null);
    for (let index = 0; index < 150; index += 1) rename(firstId + index, "Edited");
    let at = 0;
    const changed = await readToTheEnd(cursor, () => {
      rename(firstId + 200 + at, "Late");
      remove(firstId + 149 - at);
      at += 1;
    });
    const missing = Array.from({ length: 140 }, (_, index) => String(firstId + index)).filter(
      (id) => changed.names.get(id) !== "Edited",
    );
    expect(missing).toEqual([]);
    expect((await readToTheEnd(changed.cursor)).names.get(String(firstId + 200))).toBe("Late");
  });

  it("sends one request if nothing has changed", async () => {
    const { cursor } = await readToTheEnd(null);
    const page = await read(cursor);
    expect([page.leads, page.done]).toEqual([[], true]);
  });
});

it("reports a deleted app, and a rate limit, with a message", async () => {
  await expect(opened.sources.describeFields(grant, "1")).rejects.toThrow("The app no longer exists in Podio");
  sandbox.faults.add({ path: /^\/item\//, status: 420 });
  await expect(read(null)).rejects.toMatchObject({ fault: "limited", retryAfterMs: 300_000 });
  sandbox.faults.add({ path: /^\/item\//, status: 429 });
  await expect(read(null)).rejects.toMatchObject({ fault: "limited", retryAfterMs: 600_000 });
});

it("lists only active apps with their location, and only active fields", async () => {
  const sources = await opened.sources.list(grant);
  expect(sources.map(({ name, within }) => `${within}: ${name}`)).toEqual([
    "Sandbox Trading › Sales: Leads",
    "Sandbox Trading › Sales: Deals",
    "Sandbox Trading › Office: Inventory",
  ]);
  const fields = await opened.sources.describeFields(grant, String(appId));
  expect(fields?.map(({ name, kind }) => `${name}: ${kind}`)).toEqual([
    "First name: text",
    "Last name: text",
    "Company: text",
    "Job title: text",
    "Email: email",
    "Phone: phone",
    "Status: choice",
    "Responsible: person",
    "Next step: text",
  ]);
});

it("only sends requests to the vendor", async () => {
  const tampered = { ...grant, own: { apiHost: "evil.example" } };
  await expect(opened.sources.list(tampered)).rejects.toMatchObject({ fault: "refused" });
});
