import { openOutbound } from "@leadline/adapter-kit/outbound/open-outbound";
import { answerConsent } from "@leadline/crm-sandbox/answer-consent";
import { startSandboxCrm } from "@leadline/crm-sandbox/hubspot/server";
import { afterEach, expect, test } from "vitest";
import { createApi } from "./api.ts";
import { createLeadReader } from "./read-leads.ts";
import { crm } from "./server.ts";

const callbackUrl = "https://leadline.example/integrations/hubspot/callback";
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A sandbox with 250 contacts, read through these limits of a response. */
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
  const reader = createLeadReader(createApi(outbound, sandbox.domain), sandbox);
  return { sandbox, read: (cursor: string | null) => reader(grant, cursor, null) };
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

test("contacts whose pages are too large are read to the end in smaller ones", async () => {
  const { sandbox, read } = await open({ maxBytes: 20_000 });
  const first = await readToTheEnd(read);
  expect(first.ids.size).toBe(sandbox.leadCount());
  expect(Math.max(...first.sizes)).toBeLessThan(100);
  const path = "/crm/v3/objects/contacts";
  for (let id = 10_001; id <= 10_120; id += 1)
    sandbox.ask({ method: "PATCH", path: `${path}/${id}`, body: { properties: { lastname: "Edited" } } });
  const later = await readToTheEnd(read, first.cursor);
  expect(later.ids.size).toBeGreaterThanOrEqual(120);
});

test("a page that takes too long is asked for again with fewer contacts", async () => {
  const { sandbox, read } = await open({ timeoutMs: 2_000 });
  sandbox.faults.add({ path: /^\/crm\/v3\/objects\/contacts$/, delayMs: 2_500, times: 2 });
  const { sizes, ids } = await readToTheEnd(read);
  expect(sizes.slice(0, 3)).toEqual([0, 0, 25]);
  expect(ids.size).toBe(sandbox.leadCount());
});

test("a page that is too much even with the fewest contacts fails as before", async () => {
  const { read } = await open({ maxBytes: 400 });
  await expect(readToTheEnd(read)).rejects.toMatchObject({ fault: "unreachable" });
});
