import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import type { Mail } from "./compose-mail.ts";

export interface Mailer {
  /** False if no mail server is configured, and mails are only stored in the data folder. */
  readonly delivers: boolean;
  /** Resolves once the mail server has accepted it, or its file is written. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const timeOutMs = 15_000;

/**
 * Sends over SMTP if a server is configured. Otherwise each mail becomes a file in DATA_DIR/mail, for trials and for
 * the administrator.
 */
export function createMailer(config: Pick<Config, "smtpUrl" | "mailFrom" | "dataDir">, log: Log): Mailer {
  return config.smtpUrl === null ? folderMailer(config, log) : smtpMailer(config.smtpUrl, config.mailFrom, log);
}

function smtpMailer(url: string, from: string, log: Log): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: timeOutMs,
    greetingTimeout: timeOutMs,
    socketTimeout: timeOutMs,
  });
  return {
    delivers: true,
    async send(mail) {
      const { messageId } = await transport.sendMail({ from, ...mail });
      log.info({ messageId, subject: mail.subject }, "mail sent");
    },
    close: () => transport.close(),
  };
}

function folderMailer({ dataDir, mailFrom }: Pick<Config, "dataDir" | "mailFrom">, log: Log): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const folder = join(dataDir, "mail");
  return {
    delivers: false,
    async send(mail) {
      const { message } = await transport.sendMail({ from: mailFrom, ...mail });
      // It may contain a link that signs someone in, so only the server's own user can read it.
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`);
      await writeFile(path, message, { mode: 0o600, flag: "wx" });
      log.warn({ path, subject: mail.subject }, "no SMTP_URL is set: the mail was written to a file instead");
    },
    close: () => transport.close(),
  };
}
