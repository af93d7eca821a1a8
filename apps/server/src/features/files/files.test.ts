import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { StoredFile } from "@leadline/contract/files";
import { describe, expect, onTestFinished, test } from "vitest";
import { joinOrganisation, makeOrganisation, registerPerson, testApp, testQuotaBytes } from "../../testing/test-app.ts";
import { neededFiles } from "../../start/define-jobs.ts";
import { recogniseFile } from "./recognise-file.ts";
import { sweepFiles } from "./sweep-files.ts";

const app = testApp();
const sweep = { database: app.database, store: app.store, needed: neededFiles };
const png = Buffer.from("\x89PNG\r\n\x1a\n rest of a picture", "latin1");
const pdf = Buffer.from("%PDF-1.7 rest of a document");

async function newRep() {
  const person = await registerPerson(app);
  const { id: organisationId } = await makeOrganisation(app, person);
  const body = { firstName: "Bob", lastName: "Stone", email: "bob@stone.example", phone: "+12025550100" };
  const lead = (await app.ask("POST", "/v1/leads", { token: person.token, body })).json();
  return { ...person, organisationId, leadId: lead.id };
}

function upload(
  by: { token: string },
  files: readonly [name: string, content: Buffer<ArrayBuffer>][],
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [name, content] of files) form.append("file[]", new File([content], name, { type: "text/html" }));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return app.ask("POST", "/v1/files", { token: by.token, form, headers });
}
const ofLead = (rep: { leadId: string }) => ({ entity: "lead", entityId: rep.leadId });
const listOf = async (rep: { token: string; leadId: string }): Promise<StoredFile[]> =>
  (await app.ask("GET", `/v1/files?entity=lead&entityId=${rep.leadId}`, { token: rep.token })).json();

describe("a lead's files", () => {
  test("are stored, listed, downloaded byte for byte as attachments, and deleted", async () => {
    const rep = await newRep();
    const added = await upload(
      rep,
      [
        ["Angebot “Müller”.pdf", pdf],
        ["face.PNG", png],
      ],
      ofLead(rep),
    );
    expect(added.statusCode).toBe(201);
    expect(added.json()).toMatchObject([
      { name: "Angebot “Müller”.pdf", mediaType: "application/pdf", sizeBytes: pdf.length, ...ofLead(rep) },
      { name: "face.PNG", mediaType: "image/png", userName: "Robin Tester" },
    ]);
    expect((await listOf(rep)).map((file) => file.name).toSorted()).toEqual(["Angebot “Müller”.pdf", "face.PNG"]);
    const [file] = added.json();
    const got = await app.ask("GET", `/v1/files/${file.id}`, { token: rep.token });
    expect(got.rawPayload.equals(pdf)).toBe(true);
    expect(got.headers).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(pdf.length),
      "content-disposition": `attachment; filename="Angebot _M_ller_.pdf"; filename*=UTF-8''Angebot%20%E2%80%9CM%C3%BCller%E2%80%9D.pdf`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
    expect((await app.ask("DELETE", `/v1/files/${file.id}`, { token: rep.token })).statusCode).toBe(204);
    expect((await app.ask("GET", `/v1/files/${file.id}`, { token: rep.token })).statusCode).toBe(404);
    expect(await listOf(rep)).toHaveLength(1);
  });

  test("can be read by an analyst, who can only add or delete their own picture", async () => {
    const rep = await newRep();
    const analyst = await registerPerson(app);
    await joinOrganisation(app, analyst, { organisationId: rep.organisationId, role: "analyst" });
    const [file] = (await upload(rep, [["offer.pdf", pdf]], ofLead(rep))).json();
    expect((await app.ask("GET", `/v1/files/${file.id}`, { token: analyst.token })).statusCode).toBe(200);
    expect((await upload(analyst, [["mine.pdf", pdf]], ofLead(rep))).statusCode).toBe(403);
    expect((await upload(analyst, [["mine.pdf", pdf]])).statusCode).toBe(403);
    expect((await app.ask("DELETE", `/v1/files/${file.id}`, { token: analyst.token })).statusCode).toBe(403);
    const own = await upload(analyst, [["face.png", png]], { entity: "user", entityId: analyst.id });
    expect(own.statusCode).toBe(201);
    const removed = await app.ask("DELETE", `/v1/files/${own.json()[0].id}`, { token: analyst.token });
    expect(removed.statusCode).toBe(204);
  });

  test.each<[string, Buffer<ArrayBuffer>, RegExp]>([
    ["run.exe", Buffer.from("MZ"), /“run.exe” wasn’t uploaded. Supported formats: pdf, /],
    ["page.html", Buffer.from("<script>"), /wasn’t uploaded/],
    ["picture.svg", Buffer.from("<svg onload=alert(1)>"), /wasn’t uploaded/],
    ["noending", Buffer.from("x"), /wasn’t uploaded/],
    ["picture.png", pdf, /Its content isn’t a .png file/],
    ["notes.txt", png, /Its content isn’t a .txt file/],
    ["empty.pdf", Buffer.alloc(0), /It is empty/],
  ])("named %s are refused if extension and content aren't the same accepted type", async (name, content, detail) => {
    const rep = await newRep();
    const refused = await upload(
      rep,
      [
        ["fine.pdf", pdf],
        [name, content],
      ],
      ofLead(rep),
    );
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail).toMatch(detail);
    expect(await listOf(rep)).toEqual([]);
  });

  test("never become a path: a name with ../ is only a name", async () => {
    const rep = await newRep();
    const [file] = (await upload(rep, [["../../../../etc/cron.d/x.txt", Buffer.from("hello")]], ofLead(rep))).json();
    expect(file.name).not.toContain("/etc");
    expect((await app.ask("GET", `/v1/files/${file.id}`, { token: rep.token })).body).toBe("hello");
  });

  test("are refused over 10 MB, more than ten at a time, without any, or with a malformed form", async () => {
    const rep = await newRep();
    const large = Buffer.concat([pdf, Buffer.alloc(10 * 2 ** 20)]);
    // Undeclared, because the small quota of tests would refuse the declared length.
    const tooLarge = await upload(rep, [["large.pdf", large]], ofLead(rep), { "content-length": "" });
    expect(tooLarge.statusCode).toBe(413);
    expect(tooLarge.json().detail).toBe("Send files of less than 10 MB each.");
    const many = await upload(
      rep,
      Array.from({ length: 11 }, (_, index) => [`${index}.pdf`, pdf]),
      ofLead(rep),
    );
    expect(many.json().detail).toBe("Send at most 10 files at a time.");
    expect((await upload(rep, [], ofLead(rep))).json().detail).toBe("Choose a file.");
    const json = await app.ask("POST", "/v1/files", { token: rep.token, body: ofLead(rep) });
    expect(json.statusCode).toBe(415);
    expect((await upload({ token: rep.token }, [["a.pdf", pdf]], { entity: "lead" })).json().detail).toBe(
      "Say which lead the files are for.",
    );
    expect(await listOf(rep)).toEqual([]);
  });

  test("can fill the organisation's quota but not exceed it, even when uploaded at once", async () => {
    const rep = await newRep();
    const part = Buffer.concat([pdf, Buffer.alloc(testQuotaBytes / 4)]);
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
    const answers = await Promise.all(
      [rep, rep, rep, colleague, colleague].map((by, file) => upload(by, [[`${file}.pdf`, part]], ofLead(rep))),
    );
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([201, 201, 201, 409, 409]);
    expect(await listOf(rep)).toHaveLength(3);
    const other = await newRep();
    expect((await upload(other, [["a.pdf", part]], ofLead(other))).statusCode).toBe(201);
  });

  test("of one person count towards one quota, however many organisations they create", async () => {
    const rep = await newRep();
    const part = Buffer.concat([pdf, Buffer.alloc(testQuotaBytes / 4)]);
    const both: [string, Buffer<ArrayBuffer>][] = [
      ["a.pdf", part],
      ["b.pdf", part],
    ];
    expect((await upload(rep, both)).statusCode).toBe(201);
    await makeOrganisation(app, rep);
    const answers = await Promise.all([upload(rep, [["c.pdf", part]]), upload(rep, [["d.pdf", part]])]);
    expect(answers.map((answer) => answer.statusCode).toSorted()).toEqual([201, 409]);
    const refused = answers.find((answer) => answer.statusCode === 409);
    expect(refused?.json().detail).toMatch(/^You have used your .* of file storage across your organisations\./);
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
    expect((await upload(colleague, [["e.pdf", part]])).statusCode).toBe(201);
  });

  test("count as at least one disk block, so that tiny files are bounded too", async () => {
    const rep = await newRep();
    const tiny = Array.from({ length: 10 }, (_, index): [string, Buffer<ArrayBuffer>] => [`${index}.pdf`, pdf]);
    const answers = [await upload(rep, tiny), await upload(rep, tiny), await upload(rep, tiny)];
    expect(answers.map((answer) => answer.statusCode)).toEqual([201, 201, 409]);
  });

  test("of another organisation can't be listed, downloaded, deleted or added to", async () => {
    const [rep, stranger] = [await newRep(), await newRep()];
    const [file] = (await upload(rep, [["a.pdf", pdf]], ofLead(rep))).json();
    const answers = [
      await app.ask("GET", `/v1/files/${file.id}`, { token: stranger.token }),
      await app.ask("DELETE", `/v1/files/${file.id}`, { token: stranger.token }),
      await app.ask("GET", `/v1/files?entity=lead&entityId=${rep.leadId}`, { token: stranger.token }),
      await upload(stranger, [["b.pdf", pdf]], ofLead(rep)),
    ];
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404, 404, 404]);
    expect((await app.ask("GET", `/v1/files/${file.id}`)).statusCode).toBe(401);
    expect(await listOf(rep)).toHaveLength(1);
  });

  test("are deleted by their uploader or an admin", async () => {
    const rep = await newRep();
    const colleague = await registerPerson(app);
    await joinOrganisation(app, colleague, { organisationId: rep.organisationId, role: "member" });
    const [mine] = (await upload(rep, [["mine.pdf", pdf]], ofLead(rep))).json();
    const [theirs] = (await upload(colleague, [["theirs.pdf", pdf]], ofLead(rep))).json();
    expect((await app.ask("DELETE", `/v1/files/${mine.id}`, { token: colleague.token })).statusCode).toBe(403);
    expect((await app.ask("DELETE", `/v1/files/${theirs.id}`, { token: rep.token })).statusCode).toBe(204);
  });

  test("leave no bytes behind after a refused upload, nor after the sweep for a deleted lead", async () => {
    const rep = await newRep();
    const before = new Set(await app.store.listOlderThan(Infinity));
    await upload(rep, [["a.pdf", pdf]], { entity: "lead", entityId: rep.organisationId });
    expect(new Set(await app.store.listOlderThan(Infinity))).toEqual(before);
    await upload(rep, [["a.pdf", pdf]], ofLead(rep));
    const kept = (await app.store.listOlderThan(Infinity)).filter((name) => !before.has(name));
    expect(await text(app.store.open(kept[0] ?? ""))).toBe(pdf.toString());
    await sweepFiles(sweep, Date.now() + 2 * 3_600_000);
    expect(await app.store.listOlderThan(Infinity)).toEqual(expect.arrayContaining(kept));
    await app.ask("DELETE", `/v1/leads/${rep.leadId}`, { token: rep.token });
    await sweepFiles(sweep);
    expect(await app.store.listOlderThan(Infinity)).toEqual(expect.arrayContaining(kept));
    await sweepFiles(sweep, Date.now() + 2 * 3_600_000);
    expect(await app.store.listOlderThan(Infinity)).not.toEqual(expect.arrayContaining(kept));
  });
});

describe("an organisation's own files", () => {
  test("are separate from those of its leads", async () => {
    const rep = await newRep();
    await upload(rep, [["lead.pdf", pdf]], ofLead(rep));
    await upload(rep, [["own.pdf", pdf]]);
    const own = (await app.ask("GET", "/v1/files", { token: rep.token })).json();
    expect(own).toMatchObject([{ name: "own.pdf", entity: null, entityId: null }]);
  });
});

describe("an avatar", () => {
  const face = (person: { id: string }) => ({ entity: "user", entityId: person.id });

  test("can be set, replaced and removed, and is visible to colleagues in every organisation and nobody else", async () => {
    const person = await registerPerson(app);
    const first = await upload(person, [["me.png", png]], face(person));
    expect(first.statusCode).toBe(201);
    const rep = await newRep();
    await joinOrganisation(app, person, { organisationId: rep.organisationId, role: "member" });
    const seen = (await app.ask("GET", `/v1/users/${person.id}`, { token: rep.token })).json();
    expect(seen.avatar).toBe(`/v1/files/${first.json()[0].id}`);
    expect((await app.ask("GET", seen.avatar, { token: rep.token })).rawPayload.equals(png)).toBe(true);
    const stranger = await newRep();
    expect((await app.ask("GET", seen.avatar, { token: stranger.token })).statusCode).toBe(404);

    const second = await upload(person, [["new.png", png]], face(person));
    expect((await app.ask("GET", seen.avatar, { token: rep.token })).statusCode).toBe(404);
    const { avatar } = (await app.ask("GET", "/v1/users/me", { token: person.token })).json();
    expect(avatar).toBe(`/v1/files/${second.json()[0].id}`);
    expect((await app.ask("DELETE", avatar, { token: rep.token })).statusCode).toBe(403);
    await app.ask("DELETE", avatar, { token: person.token });
    expect((await app.ask("GET", "/v1/users/me", { token: person.token })).json().avatar).toBeNull();
  });

  test("is a picture under 2 MB, and only its user can change it", async () => {
    const [person, other] = [await newRep(), await newRep()];
    const large = Buffer.concat([png, Buffer.alloc(2 * 2 ** 20)]);
    expect((await upload(person, [["me.pdf", pdf]], face(person))).json().detail).toContain("isn’t an image");
    expect((await upload(person, [["me.bmp", png]], face(person))).json().detail).toBe(
      "“me.bmp” isn’t an image. Choose a PNG, JPEG, GIF or WebP file.",
    );
    expect((await upload(person, [["me.png", large]], face(person))).json().detail).toContain("under 2 MB");
    expect(
      (
        await upload(
          person,
          [
            ["a.png", png],
            ["b.png", png],
          ],
          face(person),
        )
      ).json().detail,
    ).toBe("Choose one picture.");
    expect((await upload(person, [["me.png", png]], face(other))).statusCode).toBe(403);
    const both = await Promise.all([1, 2].map(() => upload(person, [["me.png", png]], face(person))));
    expect(both.map((answer) => answer.statusCode)).toEqual([201, 201]);
  });
});

test("only the beginning of an upload is read, however large it is", async () => {
  const folder = mkdtempSync(join(tmpdir(), "leadline-large-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "large.png");
  writeFileSync(path, png);
  // More than Node can read at once. It takes up no space.
  const sizeBytes = 3 * 2 ** 30;
  truncateSync(path, sizeBytes);
  expect(await recogniseFile({ name: "large.png", path, sizeBytes })).toBe("image/png");
});

test("files are stored in DATA_DIR/files, under generated names", async () => {
  const rep = await newRep();
  await upload(rep, [["secret plan.pdf", pdf]], ofLead(rep));
  const names = await app.store.listOlderThan(Infinity);
  expect(names.every((name) => /^[0-9a-f-]{36}$/.test(name))).toBe(true);
  expect(() => app.store.open("../outside")).toThrow("not a name that the store gave");
});
