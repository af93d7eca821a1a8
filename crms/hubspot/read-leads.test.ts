import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CrmGrant, CrmLead } from "@leadline/adapter-kit/crm";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { startSandboxCrm } from "@leadline/crm-sandbox/hubspot/server";
import { afterEach, describe, expect, it } from "vitest";
import { crm } from "./server.ts";

const folder = mkdtempSync(join(tmpdir(), "hubspot-"));
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
afterEach(async () => {
  for (const close of closers.splice(1).toReversed()) await close();
});

const callbackUrl = "https://leadline.example/callback";
const limits = { tenSecondly: 1e6, searchesASecond: 1e6, daily: 1e6 };
const contactsPath = "/crm/v3/objects/contacts";

interface Given {
  id: number;
  updatedMs: number;
  archivedMs?: number;
}
const fromNothing = JSON.stringify({ settledMs: 0, reading: null });

/** Connects to a sandbox that has these contacts. */
async function open(given: readonly Given[]) {
  const contacts = given.map(({ id, updatedMs, archivedMs = null }) => {
    const lastmodifieddate = new Date(updatedMs).toISOString();
    const properties = { hs_object_id: String(id), lastname: `Lead ${id}`, lastmodifieddate };
    return { id: String(id), properties, createdMs: updatedMs, updatedMs, archivedMs };
  });
  const file = join(folder, `${crypto.randomUUID()}.json`);
  const state = { contacts, calls: [], associations: [], merged: {}, grants: [], nextId: 1_000_000 };
  writeFileSync(file, JSON.stringify(state));
  const sandbox = await startSandboxCrm({ file, publicUrl: new URL(callbackUrl) }, { limits });
  const opened = crm.open({}, { sandbox });
  closers.push(
    () => opened.close(),
    () => sandbox.close(),
  );
  const login = { workspace: sandbox.domain, callbackUrl };
  const url = opened.authoriseUrl({ ...login, state: "s", codeChallenge: "" });
  const code = answerConsent(sandbox, url, "allow").searchParams.get("code") ?? "";
  const grant = await opened.exchangeCode({ ...login, code, codeVerifier: "" });
  return { sandbox, opened, grant, read: (cursor: string | null) => opened.readLeads(grant, cursor, null) };
}

async function readAll(
  { read }: Awaited<ReturnType<typeof open>>,
  from: string | null,
  betweenPages: (page: number) => void = () => {},
) {
  const leads: CrmLead[] = [];
  const deleted: string[] = [];
  let cursor = from;
  for (let page = 1; ; page += 1) {
    const read1 = await read(cursor);
    leads.push(...read1.leads);
    deleted.push(...read1.deleted);
    ({ cursor } = read1);
    if (read1.done) return { leads, deleted, cursor };
    betweenPages(page);
  }
}
const many = (count: number, timeOf: (n: number) => number): Given[] =>
  Array.from({ length: count }, (_, n) => ({ id: n + 1, updatedMs: timeOf(n) }));

describe("reading changed contacts", () => {
  it("returns each once, of more than a search returns at most, most of them with the same time", async () => {
    const at = Date.parse("2026-02-01T00:00:00Z");
    const test = await open(many(11_300, (n) => (n < 300 ? at - 300 + n : n < 10_800 ? at : at + n)));
    const { leads } = await readAll(test, fromNothing);
    const ids = leads.map(({ externalId }) => externalId);
    expect([leads.length >= 11_300, new Set(ids).size]).toEqual([true, 11_300]);
    // The page at the shared time is read twice, since its order is only known once it is requested.
    expect(ids.length - 11_300).toBeLessThanOrEqual(200);
  });

  it("misses none if contacts change meanwhile, and returns their latest state", async () => {
    const test = await open(many(900, (n) => Date.parse("2026-02-01T00:00:00Z") + n * 1000));
    const change = (id: number, lastname: string) =>
      test.sandbox.ask({ method: "PATCH", path: `${contactsPath}/${id}`, body: { properties: { lastname } } });
    const { leads } = await readAll(test, fromNothing, (page) => {
      // Changes contacts that were already read. If a search were paged from its start, 20 others would move past the
      // reader.
      const changed = page < 4 ? 20 : 0;
      for (let id = 1; id <= changed; id += 1) change(id, `Page ${page}`);
    });
    const newest = new Map(leads.map((lead) => [lead.externalId, lead.lastName]));
    expect(newest.size).toBe(900);
    expect([newest.get("1"), newest.get("20"), newest.get("21")]).toEqual(["Page 3", "Page 3", "Lead 21"]);
  });

  it("reports contacts archived since, over several pages, and none from before", async () => {
    const since = Date.parse("2026-03-01T00:00:00Z");
    const all = many(350, () => since - 1_000);
    const test = await open(all.map((one) => ({ ...one, archivedMs: one.id <= 150 ? since - 1 : since + one.id })));
    const { deleted } = await readAll(test, JSON.stringify({ settledMs: since, reading: null }));
    expect(deleted.toSorted()).toEqual(
      all
        .slice(150)
        .map(({ id }) => String(id))
        .toSorted(),
    );
  });

  it("lists archived contacts only if some are gone, and then misses none", async () => {
    const test = await open(many(3, () => 1_000));
    const ask = (method: string, path: string) =>
      test.sandbox.ask({ method, path: contactsPath + path, body: { properties: { lastname: "Newcomer" } } });
    const idle = await test.read((await readAll(test, null)).cursor);
    expect([idle.leads.length, idle.done]).toEqual([0, true]);
    ask("POST", "");
    const added = await test.read(idle.cursor);
    expect([added.leads.length, added.done]).toEqual([1, true]);
    // It is found once more, and isn't another one.
    const again = await test.read(added.cursor);
    expect([again.leads.length, again.done]).toEqual([1, true]);
    ask("POST", "");
    ask("DELETE", "/2");
    expect((await readAll(test, again.cursor)).deleted).toEqual(["2"]);
  });

  it.each([
    ["within a day, whatever the numbers say", 25, ["3"]],
    ["not before, if the numbers say that none is gone", 23, []],
  ])("lists archived contacts %s", async (_, listedHoursAgo, deleted) => {
    const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
    const test = await open([...many(2, () => 1_000), { id: 3, updatedMs: 1_000, archivedMs: hoursAgo(2) }]);
    const counted = { contacts: 2, archivedMs: hoursAgo(listedHoursAgo), recent: [] };
    const cursor = JSON.stringify({ settledMs: hoursAgo(1), counted, reading: null });
    expect((await readAll(test, cursor)).deleted).toEqual(deleted);
  });

  it("reports a contact that was merged into another as deleted", async () => {
    const test = await open(many(3, () => 1_000));
    const { cursor } = await readAll(test, null);
    const body = { primaryObjectId: "1", objectIdToMerge: "2" };
    test.sandbox.ask({ method: "POST", path: `${contactsPath}/merge`, body });
    const { leads, deleted } = await readAll(test, cursor);
    expect([leads.map(({ externalId }) => externalId), deleted]).toEqual([["1"], ["2"]]);
  });
});

describe("HubSpot's refusals", () => {
  const trouble = [
    [429, "TEN_SECONDLY_ROLLING", "limited", 10_000],
    [429, "SECONDLY", "limited", 1_000],
    [429, "DAILY", "limited", 3_600_000],
    [423, "LOCKED", "unreachable", null],
    [477, "MIGRATION", "unreachable", null],
    [502, "BAD_GATEWAY", "unreachable", null],
    [403, "MISSING_SCOPES", "grant-refused", null],
    [400, "VALIDATION_ERROR", "refused", null],
  ] as const;
  it.each(trouble)("%i %s is reported as %s, with its pause", async (status, errorCode, fault, retryAfterMs) => {
    const { sandbox, read } = await open(many(1, () => 1_000));
    sandbox.faults.add({ path: /^\/crm/, status, errorCode });
    await expect(read(null)).rejects.toMatchObject({ fault, retryAfterMs });
  });

  it("a request without a response is reported as unreachable", async () => {
    const { sandbox, read } = await open(many(1, () => 1_000));
    sandbox.faults.add({ path: /^\/crm/, loseAnswer: true });
    await expect(read(null)).rejects.toMatchObject({ fault: "unreachable" });
  });

  it("an app's wrong secret is reported to the administrator", async () => {
    const { sandbox, opened, grant } = await open([]);
    const other = crm.open({}, { sandbox: { ...sandbox, clientSecret: "guessed" } });
    closers.push(() => other.close());
    await expect(other.refresh(sandbox.domain, grant)).rejects.toMatchObject({ fault: "refused" });
    await expect(opened.refresh(null, grant)).rejects.toThrow(/HUBSPOT_CLIENT_ID/);
  });
});

describe("a stored cursor", () => {
  it("only sends requests to HubSpot", async () => {
    const { opened, grant } = await open([]);
    const hosts = ["evil.example", "127.0.0.1", "api.hubapi.com.evil.example", "api.hubapi.com:8443", ""];
    for (const apiHost of hosts) {
      const tampered: CrmGrant = { ...grant, own: { apiHost } };
      await expect(opened.readLeads(tampered, null, null)).rejects.toMatchObject({ fault: "refused" });
    }
  });

  it("is refused if it is invalid", async () => {
    const { read } = await open([]);
    const tied = { step: "tied", atMs: 1, afterId: "1 OR", startedMs: 1, total: null };
    for (const cursor of [{}, { settledMs: 1, reading: tied }])
      await expect(read(JSON.stringify(cursor))).rejects.toMatchObject({ fault: "refused" });
  });
});
