import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { startMailServer } from "../testing/mail-server.ts";
import { composeMail } from "./compose-mail.ts";
import { createMailer } from "./create-mailer.ts";

const dataDir = mkdtempSync(join(tmpdir(), "leadline-mail-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const mail = composeMail({
  to: "robin@example.com",
  subject: "Join Häfen\r\nBcc: everybody@example.com",
  greeting: "Hello,",
  paragraphs: ['<img src="x"> & Söhne invite you.'],
  action: { label: "Join", url: "https://phone.example.com/invitation#token" },
  foot: "The link works once.",
});

describe("a mail", () => {
  test("puts a name on one line, even if it was stored with a line break", () => {
    const { text } = composeMail({
      to: "robin@example.com",
      subject: "Join",
      greeting: "Hello,",
      paragraphs: ["Ann\r\n\r\nhttps://evil.example\u0007 invites you."],
      action: { label: "Join\r\nnow", url: "https://phone.example.com/invitation#token" },
      foot: "The link works once.",
    });
    expect(text).toContain("\n\nAnn https://evil.example invites you.\n\nJoin now:\n");
  });

  test("is HTML with user input escaped, and its subject is one header", () => {
    expect(mail.html).toContain("&lt;img src=&quot;x&quot;&gt; &amp; Söhne");
    expect(mail.subject).toBe("Join Häfen Bcc: everybody@example.com");
    expect(mail.text).toContain("Join:\nhttps://phone.example.com/invitation#token");
  });

  test("goes to the configured mail server", async () => {
    const server = await startMailServer();
    const mailer = createMailer({ smtpUrl: server.url, mailFrom: "phone@example.com", dataDir }, createLog("silent"));
    await mailer.send(mail);
    mailer.close();
    await server.close();
    expect(server.received).toMatchObject([{ from: "phone@example.com", to: "robin@example.com", token: "token" }]);
  });

  test("that the mail server refuses fails, so that its job retries", async () => {
    const server = await startMailServer();
    await server.close();
    const mailer = createMailer({ smtpUrl: server.url, mailFrom: "phone@example.com", dataDir }, createLog("silent"));
    await expect(mailer.send(mail)).rejects.toThrow(/ECONNREFUSED/);
    mailer.close();
  });

  test("becomes a file readable only by the server's user if no mail server is configured, and its path is logged", async () => {
    const lines: string[] = [];
    const log = createLog("info", { write: (line) => void lines.push(line) });
    const mailer = createMailer({ smtpUrl: null, mailFrom: "Leadline <leadline@localhost>", dataDir }, log);
    expect(mailer.delivers).toBe(false);
    await mailer.send(mail);
    mailer.close();
    const [name = ""] = readdirSync(join(dataDir, "mail"));
    const path = join(dataDir, "mail", name);
    expect(name).toMatch(/\.eml$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, "utf8")).toContain("To: robin@example.com");
    expect(JSON.parse(lines[0] ?? "{}")).toMatchObject({ level: "warn", path });
    expect(lines.join("")).not.toContain("#token");
  });
});

describe("the mail settings", () => {
  const read = (settings: Record<string, string>) => readConfig(settings, { dev: false });

  test("depend on each other and explain what they accept", () => {
    expect(read({})).toMatchObject({ smtpUrl: null });
    expect(read({ SMTP_URL: "smtps://u:p@mail.example.com", MAIL_FROM: "Us <us@example.com>" })).toMatchObject({
      smtpUrl: "smtps://u:p@mail.example.com",
      mailFrom: "Us <us@example.com>",
    });
    expect(() => read({ SMTP_URL: "smtp://mail.example.com" })).toThrow(/MAIL_FROM must be set/);
    expect(() => read({ SMTP_URL: "mail.example.com" })).toThrow(/SMTP_URL must be a mail server's address/);
    for (const from of ["nobody", "Us <us>", "us@example.com\r\nBcc: all@example.com"]) {
      expect(() => read({ MAIL_FROM: from })).toThrow(/MAIL_FROM must be a mail address/);
    }
  });
});
