import { openOutbound } from "@leadline/adapter-kit/outbound/open-outbound";
import { suggestMapping } from "@leadline/adapter-kit/suggest-mapping";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { startSandboxCrm } from "@leadline/crm-sandbox/podio/server";
import { afterEach, expect, test } from "vitest";
import { createApi } from "./api.ts";
import { createLeadReader } from "./read-leads.ts";
import { crm } from "./server.ts";

const callbackUrl = "https://leadline.example/integrations/podio/callback";
const appId = 25_110_001;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A sandbox with 250 items, read through these limits of a response. */
async function open(limits: { maxBytes?: number; timeoutMs?: number }) {
  const sandbox = await startSandboxCrm({ file: null, publicUrl: new URL(callbackUrl), isUnlimited: true });
  const opened = crm.open({}, { sandbox });
  const onThisMachine = { host: sandbox.domain, address: sandbox.address };
  const outbound = openOutbound({ onThisMachine, ...limits });
  closers.push(
    () => sandbox.close(),
    () => opened.close(),
    () => outbound.close(),
  );
  const login = { workspace: sandbox.domain, callbackUrl };
  const url = opened.authoriseUrl({ ...login, state: "state", codeChallenge: "" });
  const code = answerConsent(sandbox, url, "allow").searchParams.get("code") ?? "";
  const grant = await opened.exchangeCode({ ...login, code, codeVerifier: "" });
  const fields = suggestMapping(await opened.sources.describeFields(grant, String(appId)));
  const mapping = { source: String(appId), sourceName: "Leads", fields, custom: [], statuses: {} };
  const reader = createLeadReader(createApi(outbound, sandbox.domain), sandbox);
  return { sandbox, read: (cursor: string | null) => reader(grant, cursor, mapping) };
}

async function readToTheEnd(read: Awaited<ReturnType<typeof open>>["read"], from: string | null = null) {
  const sizes: number[] = [];
  const ids = new Set<string>();
  for (let cursor = from; ;) {
    const page = await read(cursor);
    cursor = page.cursor;
    sizes.push(page.leads.length);
    for (const { externalId } of page.leads) ids.add(externalId);
    if (page.done) return { sizes, ids, cursor };
  }
}

test("an app whose pages are too large is read to its end in smaller ones, and later reads start with those", async () => {
  const { read } = await open({ maxBytes: 150_000 });
  const first = await readToTheEnd(read);
  expect(first.ids.size).toBe(250);
  expect(first.sizes.slice(0, 3)).toEqual([0, 0, 0]);
  const later = await readToTheEnd(read, first.cursor);
  expect(later.sizes.length).toBeLessThanOrEqual(2);
});

test("a page that takes too long is asked for again with fewer items", async () => {
  const { sandbox, read } = await open({ timeoutMs: 2_000 });
  sandbox.faults.add({ path: /\/filter\/$/, delayMs: 2_500, times: 2 });
  const { sizes, ids } = await readToTheEnd(read);
  expect(sizes.slice(0, 3)).toEqual([0, 0, 125]);
  expect(ids.size).toBe(250);
});

test("a page that is too much even with the fewest items fails as before", async () => {
  const { read } = await open({ maxBytes: 1_000 });
  await expect(readToTheEnd(read)).rejects.toMatchObject({ fault: "unreachable" });
});
