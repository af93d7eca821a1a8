import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { countDaily } from "../features/attempts/count-daily.ts";
import { prepareLeadImport } from "../features/lead-imports/prepare-lead-import.ts";
import { importRates } from "../features/rates/import-rates.ts";
import { uploadGreeting } from "../features/voicemail/greeting/upload-greeting.ts";
import type { Member } from "../http/route.ts";
import { holdFile } from "../testing/held-file.ts";
import { toneFile } from "../testing/left-messages.ts";
import { ownSilentAddress } from "../testing/one-of-everything.ts";
import { newRep, testAppWithCalls } from "../testing/test-calls.ts";

const app = testAppWithCalls();
const { database, store } = app;

interface Upload {
  caller: Member;
  token: string;
  path: string;
  gone: AbortSignal;
}
const fileAt = (name: string, path: string) => ({ name, path, sizeBytes: 1 });

const uploads: [string, string | Buffer, (upload: Upload) => Promise<unknown>, counted: string][] = [
  [
    "an import of leads",
    "First name,Last name,Email,Phone\nBob,Stone,bob@stone.example,+12025550107\n",
    ({ caller, path, gone }) =>
      prepareLeadImport({ database, store }, caller, { file: fileAt("leads.csv", path), gone }),
    "lead import",
  ],
  [
    "an import of rates",
    "Prefix,Price per minute (USD)\n44,0.02\n",
    async ({ caller, token, path, gone }) => {
      const carrierId = await addCarrier(token);
      return importRates({ database, alertOwners: async () => {} }, caller, {
        carrierId,
        file: fileAt("rates.csv", path),
        gone,
      });
    },
    "rates import",
  ],
  [
    "a greeting",
    toneFile(440, 600),
    ({ caller, path, gone }) =>
      uploadGreeting({ database, store }, { caller, files: [fileAt("hello.wav", path)], gone }),
    "greeting",
  ],
];

async function newOwner(): Promise<Pick<Upload, "caller" | "token">> {
  const { id: userId, organisationId, token } = await newRep(app);
  return { caller: { userId, sessionId: randomUUID(), organisation: { id: organisationId, role: "owner" } }, token };
}
async function addCarrier(token: string): Promise<string> {
  const settings = { host: ownSilentAddress(), authentication: "ip" };
  const body = { kind: "sip-trunk", label: "Silent", settings };
  return (await app.ask("POST", "/v1/carriers", { token, body })).json().id;
}

describe.each(uploads)("%s", (_, content, upload, counted) => {
  test("is refused after the person's hundredth in a day, in whichever organisations", async () => {
    const rep = await newOwner();
    const before = { by: rep.caller.userId, most: 100, sentence: "" };
    for (let file = 0; file < 100; file += 1) await countDaily(database.withTransaction, counted, before);
    const uploaded = upload({ ...rep, path: "/dev/null", gone: new AbortController().signal });
    await expect(uploaded).rejects.toMatchObject({ code: "too-many-attempts" });
  });

  test("is read in a thread of its own, and the API answers meanwhile", async () => {
    const held = holdFile(content);
    const uploaded = upload({ ...(await newOwner()), path: held.path, gone: new AbortController().signal });
    await Promise.race([held.isBeingRead, uploaded]);
    expect((await app.ask("GET", "/health")).statusCode).toBe(200);
    expect(held.isReleased()).toBe(false);
    held.release();
    await uploaded;
  });

  test("ends as soon as its sender has gone, in the middle of the file", async () => {
    const held = holdFile(content);
    const sender = new AbortController();
    const uploaded = upload({ ...(await newOwner()), path: held.path, gone: sender.signal });
    await Promise.race([held.isBeingRead, uploaded]);
    const gone = new Error("the sender has gone");
    sender.abort(gone);
    await expect(uploaded).rejects.toBe(gone);
    expect(held.isReleased()).toBe(false);
  });
});
