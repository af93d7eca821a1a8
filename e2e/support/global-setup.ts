import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startMailServer } from "../../apps/server/src/testing/mail-server.ts";
import { findChromium } from "../../testing/find-chromium.ts";
import { startApp } from "../../testing/start-app.ts";

declare module "vitest" {
  export interface ProvidedContext {
    appAddress: string;
    appDataDir: string;
    /** For files that are deleted after the run. */
    runFolder: string;
    /** The app's mails, one line of JSON each. */
    inbox: string;
  }
}

/** One app for the whole run, with a mail server; the browser is unpacked while they start. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "leadline-journeys-"));
  const inbox = join(folder, "mails");
  writeFileSync(inbox, "");
  const mail = await startMailServer((one) => appendFileSync(inbox, `${JSON.stringify(one)}\n`));
  const env = { SMTP_URL: mail.url, MAIL_FROM: "Leadline <phone@example.com>", TRUSTED_PROXIES: "127.0.0.1" };
  const [app] = await Promise.all([startApp({ env }), findChromium()]);
  project.provide("appAddress", app.address);
  project.provide("appDataDir", app.dataDir);
  project.provide("runFolder", folder);
  project.provide("inbox", inbox);
  return async () => {
    await app.stop();
    await mail.close();
    rmSync(folder, { recursive: true });
  };
}
