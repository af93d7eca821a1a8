import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import type { Identity } from "../../http/route.ts";
import { makeOrganisation, registerPerson, testApp } from "../../testing/test-app.ts";
import { createFileStore } from "./file-store.ts";
import { downloadFile } from "./read-files.ts";
import { uploadFiles } from "./upload-files.ts";

const app = testApp();
const dataDir = mkdtempSync(join(tmpdir(), "leadline-upload-faults-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
const store = createFileStore(dataDir);
const deps = { database: app.database, store, quotaBytes: 1_000_000 };
const png = Buffer.from("\x89PNG\r\n\x1a\n rest of a picture", "latin1");

async function person() {
  const { id: userId } = await registerPerson(app);
  const caller: Identity = { userId, sessionId: randomUUID(), organisation: null };
  const path = join(dataDir, randomUUID());
  await writeFile(path, png);
  const files = [{ name: "face.png", path, sizeBytes: png.length }];
  const avatar = () =>
    app.database.withTransaction({ userId }, (tx) =>
      tx.selectFrom("files").select("id").where("avatar_of", "=", userId).executeTakeFirst(),
    );
  const upload = (by: typeof deps) => uploadFiles(by, { caller, fields: { entity: "user", entityId: userId }, files });
  return { caller, upload, avatar };
}
const contentOf = async (caller: Identity, id = "") => text((await downloadFile(deps, caller, id)).content);

test("keeps a file if the commit's response was lost, because its row exists", async () => {
  const { caller, upload, avatar } = await person();
  const losing: Database = {
    ...app.database,
    async withTransaction(scope, work) {
      await app.database.withTransaction(scope, work);
      throw new Error("the answer was lost");
    },
  };
  await expect(upload({ ...deps, database: losing })).rejects.toThrow("the answer was lost");
  expect(await contentOf(caller, (await avatar())?.id)).toContain("rest of a picture");
});

test("a new picture is kept even if the old one can't be deleted now", async () => {
  const { caller, upload, avatar } = await person();
  await upload(deps);
  const stuck = { ...store, remove: () => Promise.reject(new Error("a read-only disk")) };
  const [stored] = await upload({ ...deps, store: stuck });
  expect((await avatar())?.id).toBe(stored?.id);
  expect(await contentOf(caller, stored?.id)).toContain("rest of a picture");
});

test("an upload that definitely failed leaves no file", async () => {
  const { upload } = await person();
  const before = await store.listOlderThan(Infinity);
  const failing: Database = {
    ...app.database,
    withTransaction: () => Promise.reject(new Error("no connection")),
  };
  await expect(upload({ ...deps, database: failing })).rejects.toThrow("no connection");
  expect(await store.listOlderThan(Infinity)).toEqual(before);
});

test("files are refused before they are received if the space that is left can't take them", async () => {
  const outsider = await registerPerson(app);
  const rep = await registerPerson(app);
  await makeOrganisation(app, rep);
  // Announces more than it sends: as soon as the server reads the body, it misses the rest.
  const announce = ({ token }: { token: string }) =>
    app.ask("POST", "/v1/files", { token, form: new FormData(), headers: { "content-length": String(3 * 2 ** 20) } });
  expect((await announce(rep)).json()).toMatchObject({ type: "/api/docs#storage-full", status: 409 });
  expect((await announce(outsider)).json()).toMatchObject({ type: "/api/docs#no-organisation", status: 403 });
});
