import type { LeadImportCheck, LeadMapping, RowFate } from "@leadline/contract/lead-imports";
import { readLeadRow } from "@leadline/contract/lead-imports";
import type { CountryCode } from "libphonenumber-js/max";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { identityOf, knownIdentities, type LeadIdentity } from "../leads/insert/known-leads.ts";
import { toPhoneNumbers } from "../leads/numbers/to-phone-number.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import type { LeadImportDeps } from "./lead-import-deps.ts";
import { type ReadRow } from "./reading/reading-thread.ts";
import { readLeads } from "./reading/read-csv.ts";
import { requireLeadImport } from "./read-lead-import.ts";

interface CheckLeadImport {
  id: string;
  mapping: LeadMapping;
}

/** Predicts the result of each row with the functions that the import uses. Changes nothing. */
export async function checkLeadImport(
  deps: Pick<LeadImportDeps, "database" | "store" | "checks">,
  caller: Member,
  { id, mapping }: CheckLeadImport,
): Promise<LeadImportCheck> {
  const organisationId = caller.organisation.id;
  const scope = { organisationId, userId: caller.userId };
  const { draft, country } = await deps.database.withTransaction(scope, async (tx) => ({
    draft: await requireLeadImport(tx, { id, organisationId }),
    country: await defaultCountryOf(tx, organisationId),
  }));
  const { stored_name: storedName, bytes_read: startByte, delimiter, preview } = draft;
  if (storedName === null)
    throw new Problem("import-started", "This import has finished. To import the file again, upload it again.");

  const fatesOf = (rows: readonly ReadRow[], seen: Set<string>) =>
    readFates(rows, { country, seen }, (leads) =>
      deps.database.withTransaction(scope, (tx) => knownIdentities(tx, organisationId, leads)),
    );
  const what = JSON.stringify([id, mapping, country]);
  return deps.checks.result({ what, organisationId }, async (report, isWanted) => {
    const shown = preview.map((cells) => readLeadRow(cells, mapping));
    const soFar: LeadImportCheck = { totals: null, checkedRows: 0, preview: await fatesOf(shown, new Set()) };
    report(soFar);
    const totals = { new: 0, known: 0, repeated: 0, failed: 0 };
    const seen = new Set<string>();
    const path = deps.store.pathOf(storedName);
    for await (const { rows } of readLeads({
      path,
      delimiter,
      startByte,
      rowsBefore: 1,
      mapping,
      by: organisationId,
    })) {
      for (const fate of await fatesOf(rows, seen)) totals[fate] += 1;
      soFar.checkedRows += rows.length;
      if (!isWanted()) return soFar;
    }
    return { ...soFar, totals };
  });
}

interface HowToRead {
  country: CountryCode;
  /** Identities of the rows above; those of new leads are added. */
  seen: Set<string>;
}

async function readFates(
  rows: readonly ReadRow[],
  { country, seen }: HowToRead,
  findKnown: (leads: readonly LeadIdentity[]) => Promise<ReadonlyMap<string, string>>,
): Promise<RowFate[]> {
  const numbers = await toPhoneNumbers(
    rows.map((row) => ("lead" in row ? row.lead.phone : "")),
    country,
  );
  const leads = rows.map((row, index) => ("lead" in row ? { ...row.lead, phoneNumber: numbers[index] ?? null } : null));
  const known = await findKnown(leads.filter((lead) => lead !== null));
  return leads.map((lead) => {
    if (lead === null) return "failed";
    const identity = identityOf(lead);
    if (known.has(identity)) return "known";
    if (seen.has(identity)) return "repeated";
    seen.add(identity);
    return "new";
  });
}
