import { escape, frame } from "./consent-page.ts";

/** A record's page for the CRM's users: its title, and each field with a value. */
export function recordPage(record: {
  title: string;
  of: string;
  fields: readonly (readonly [string, string])[];
}): string {
  const { title, of, fields } = record;
  const rows = fields
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`);
  return frame(
    `${title} · Sandbox CRM`,
    `<h1>${escape(title)}</h1>
<p>${escape(of)}</p>
<dl>${rows.join("")}</dl>`,
  );
}

export const missingPage = (): string =>
  frame("No such record · Sandbox CRM", "<h1>No such record</h1><p>It was deleted, or the address is not whole.</p>");
