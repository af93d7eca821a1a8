import type { CrmCall, CrmGrant } from "@leadline/adapter-kit/crm";
import type { OutboundRequest } from "@leadline/adapter-kit/outbound/open-outbound";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApi } from "./api.ts";
import { openAgainstSandbox } from "./testing/open-against-sandbox.ts";
import { createCallWriter } from "./write-calls.ts";

const call: CrmCall = {
  callSid: "CA00000000000000000000000000000001",
  leadExternalId: "2800000007",
  direction: "inbound",
  phoneNumber: "+12025550143",
  startedAt: "2026-03-01T09:30:00.000Z",
  startedOn: "2026-03-01",
  wasAnswered: false,
  seconds: 0,
  outcome: "",
  note: "Ask @[Uma Stone](user:1)",
  rep: "",
  link: null,
};

let tested: Awaited<ReturnType<typeof openAgainstSandbox>>;
beforeAll(async () => {
  tested = await openAgainstSandbox();
});
afterAll(() => tested.close());

async function connect(scope?: string): Promise<CrmGrant> {
  const { crm, workspace, callbackUrl } = tested;
  const url = new URL(crm.authoriseUrl({ workspace, callbackUrl, state: "state", codeChallenge: "" }));
  if (scope !== undefined) url.searchParams.set("scope", scope);
  const code = (await tested.consent(url.href, "allow")).get("code") ?? "";
  return crm.exchangeCode({ workspace, callbackUrl, code, codeVerifier: "" });
}

test("a mention in a note notifies nobody", async () => {
  await tested.crm.calls.create(await connect(), call);
  expect(tested.writtenCalls().find(({ callSid }) => callSid === call.callSid)?.note).toBe(
    "Call from +12025550143, 2026-03-01 09:30 UTC, not answered\n\nAsk @ [Uma Stone](user:1)",
  );
});

test("finds a call on a later page of comments", async () => {
  const grant = await connect();
  const comment = { ...call, leadExternalId: "2800000008" };
  const path = `/comment/item/${comment.leadExternalId}/`;
  for (let number = 0; number < 230; number += 1) tested.people({ method: "POST", path, body: { value: `${number}` } });
  expect(await tested.crm.calls.find(grant, comment)).toBeNull();
  const written = await tested.crm.calls.create(grant, comment);
  expect(await tested.crm.calls.find(grant, comment)).toEqual(written);
});

test("a read-only grant is refused with advice to reconnect", async () => {
  const writing = tested.crm.calls.create(await connect("global:read"), { ...call, leadExternalId: "2800000009" });
  await expect(writing).rejects.toMatchObject({
    fault: "refused",
    message: expect.stringContaining("Reconnect Podio"),
  });
});

test.each([
  "http://podio.com/o/s/items/7",
  "https://evil.example/o/s/items/7",
  "https://podio.com.evil.example/items/7",
  "https://podio.com@evil.example/items/7",
  "javascript:alert(1)//podio.com",
])("refuses to comment when Podio returns the link %s", async (link) => {
  const asked: string[] = [];
  const outbound = {
    async send({ method, url }: OutboundRequest) {
      asked.push(`${method} ${url.pathname}${url.search}`);
      return { status: 200, headers: {}, text: JSON.stringify({ link }) };
    },
    close: () => {},
  };
  const writer = createCallWriter(createApi(outbound, tested.workspace), null);
  await expect(writer.create(await connect(), call)).rejects.toMatchObject({ fault: "unreachable" });
  expect(asked).toEqual(["GET /item/2800000007?mark_as_viewed=false"]);
});
