import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { crm } from "./server.ts";

const closers: (() => void)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

const domain = "acme.my.salesforce.com";
const own = { instanceUrl: `https://${domain}` };
const grant = { accessToken: "a", refreshToken: "r", expiresAt: null, accountId: null, own };
const lead = (n: number, at: string) => ({ Id: `00Q00000000000${n}`, LastName: `Lead ${n}`, SystemModstamp: at });

/** The adapter against a server whose answers are given one by one, with the paths that it asked for. */
async function answering(...answers: { status?: number; date?: Date; body: unknown }[]) {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? "", "https://host"));
    const { status = 200, date = new Date(), body } = answers.shift() ?? { status: 500, body: [] };
    response.setHeader("date", date.toUTCString());
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = server.address();
  const address = new URL(`http://127.0.0.1:${typeof at === "object" ? at?.port : 0}`);
  const opened = crm.open(
    {},
    { sandbox: { domain, address, browserPath: "", clientId: "client", clientSecret: null } },
  );
  closers.push(opened.close, () => server.close());
  return { asked, read: (cursor: string | null) => opened.readLeads(grant, cursor, null) };
}
const soqlOf = (url: URL | undefined): string => url?.searchParams.get("q") ?? "";

describe("a reading", () => {
  it("goes on from the last lead where the server has forgotten its cursor", async () => {
    const first = { totalSize: 3, done: false, nextRecordsUrl: "/services/data/v62.0/query/01g-1" };
    const records = [lead(1, "2026-01-01T00:00:00.000+0000"), lead(2, "2026-01-01T00:00:00.000+0000")];
    const { asked, read } = await answering(
      { body: { ...first, records } },
      { status: 400, body: [{ errorCode: "INVALID_QUERY_LOCATOR", message: "invalid query locator" }] },
      { body: { totalSize: 1, done: true, records: [lead(3, "2026-01-01T00:00:01.000+0000")] } },
    );
    const { cursor } = await read(null);
    const page = await read(cursor);
    expect(page.leads.map(({ lastName }) => lastName)).toEqual(["Lead 3"]);
    expect(page.total).toBe(3);
    expect(asked[1]?.pathname).toBe("/services/data/v62.0/query/01g-1");
    expect(soqlOf(asked[2])).toContain(
      "WHERE SystemModstamp > 2026-01-01T00:00:00.000Z OR (SystemModstamp = 2026-01-01T00:00:00.000Z AND Id > '00Q000000000002') ORDER BY SystemModstamp, Id",
    );
  });

  it("starts a minute before the last one's end where the newest lead is younger than that", async () => {
    const date = new Date("2026-03-01T12:00:00Z");
    const empty = { body: { totalSize: 0, done: true, records: [] } };
    const young = { totalSize: 1, done: true, records: [lead(1, "2026-03-01T11:59:58.000+0000")] };
    const { asked, read } = await answering({ date, body: young }, empty);
    await read((await read(null)).cursor);
    expect(soqlOf(asked[1])).toContain("SystemModstamp > 2026-03-01T11:59:00.000Z");
  });

  it("follows no further page to anywhere but the query path of its own API", async () => {
    for (const nextRecordsUrl of [
      "https://evil.example/",
      "//evil.example/services/data/v62.0/query/x",
      "/services/x",
    ]) {
      const body = { totalSize: 2, done: false, nextRecordsUrl, records: [lead(1, "2026-01-01T00:00:00.000+0000")] };
      const { read } = await answering({ body });
      await expect(read(null)).rejects.toMatchObject({ fault: "unreachable" });
    }
  });

  it("stops at a page that leads to itself", async () => {
    const body = { totalSize: 2, done: false, nextRecordsUrl: "/services/data/v62.0/query/01g-1" };
    const page = { body: { ...body, records: [lead(1, "2026-01-01T00:00:00.000+0000")] } };
    const { read } = await answering(page, page);
    const { cursor } = await read(null);
    await expect(read(cursor)).rejects.toMatchObject({ fault: "unreachable" });
  });

  it("asks for the deletions of the last two weeks at most, however long ago the last sync was", async () => {
    const date = new Date("2026-03-01T12:00:00Z");
    const empty = { date, body: { totalSize: 0, done: true, records: [] } };
    const { asked, read } = await answering(empty, {
      date,
      body: {
        deletedRecords: [{ id: "00Q000000000001", deletedDate: "x" }],
        latestDateCovered: "2026-03-01T12:00:00.000+0000",
      },
    });
    const cursor = { after: null, deletedTo: "2026-01-01T00:00:00.000Z", reading: null };
    const changed = await read(JSON.stringify(cursor));
    expect(changed.done).toBe(false);
    const page = await read(changed.cursor);
    expect(page).toMatchObject({ deleted: ["00Q000000000001"], done: true });
    expect(asked[1]?.searchParams.get("start")).toBe("2026-02-15T12:00:00+00:00");
  });

  it("puts nothing of a broken cursor into a query", async () => {
    const { asked, read } = await answering();
    const cursor = { after: { at: "2026-01-01T00:00:00Z", id: "x' OR Id != '" }, deletedTo: null, reading: null };
    await expect(async () => read(JSON.stringify(cursor))).rejects.toMatchObject({ fault: "refused" });
    expect(asked).toEqual([]);
  });
});
