import { randomUUID } from "node:crypto";
import { carrier as sandbox } from "@leadline/carrier-sandbox/server";
import type { CarrierModule } from "@leadline/adapter-kit/carrier";
import { expect, test } from "vitest";
import { z } from "zod";
import { newRep, testAppWithCalls } from "../../testing/test-calls.ts";

const kind = `line-${randomUUID().slice(0, 8)}`;
const line: CarrierModule = {
  ...sandbox,
  id: kind,
  settings: z.object({ name: z.string() }),
  open: async ({ name }) => ({
    ...(await sandbox.open({})),
    check: async () => [{ what: "Open", ok: true, sentence: `${String(name)} works.` }],
  }),
};
const app = testAppWithCalls([sandbox, line]);

test("testing a backup carrier tests that carrier, not the first one", async () => {
  const { token } = await newRep(app);
  const connect = async (name: string): Promise<string> => {
    const body = { kind, label: name, settings: { name } };
    return (await app.ask("POST", "/v1/carriers", { token, body })).json().id;
  };
  const ids = { Backup: await connect("Backup"), First: await connect("First") };
  for (const name of ["Backup", "First"] as const) {
    const body = { id: ids[name], kind, settings: { name } };
    const checked = await app.ask("POST", "/v1/carriers/check", { token, body });
    expect(checked.json()).toEqual([{ what: "Open", ok: true, sentence: `${name} works.` }]);
  }
});
