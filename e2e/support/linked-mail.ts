import { readFileSync } from "node:fs";
import { inject, vi } from "vitest";
import type { ReceivedMail } from "../../apps/server/src/testing/mail-server.ts";

/** The link to `path` in the newest mail to a user, once it has arrived. */
export const linkMailedTo = (person: string, path: string): Promise<string> =>
  vi.waitFor(() => {
    const mails: ReceivedMail[] = readFileSync(inject("inbox"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const text = mails.findLast(({ to }) => to === person)?.text ?? "";
    const link = new RegExp(`${inject("appAddress")}${path}#[\\w-]+`).exec(text)?.[0];
    if (link === undefined) throw new Error(`no link to ${path} has come to ${person}`);
    return link;
  });
