import type { LeadImportCheck, LeadMapping, RowFate } from "@leadline/contract/lead-imports";
import { readLeadRow } from "@leadline/contract/lead-imports";
import type { CountryCode } from "libphonenumber-js/max";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { identityOf, knownIdentities, type LeadIdentity } from "../leads/known-leads.ts";
import { toPhoneNumbers } from "../leads/to-phone-number.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import type { LeadImportDeps } from "./lead-import-deps.ts";
import { isEmptyRow, readCsv } from "./read-csv.ts";
import { requireLeadImport } from "./read-lead-import.ts";

/** Enough for a query to pay, few enough for others to have their turn. */
const rowsAStep = 2_000;

interface CheckLeadImport {
  id: string;
  mapping: LeadMapping;
}

/** What would become of the rows, by the functions that the import itself reads and compares them with. Changes nothing. */
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
    throw new Problem("import-started", "This import is over. Upload the file again to import it anew.");

  const fatesOf = (rows: readonly (readonly string[])[], seen: Set<string>) =>
    readFates(rows, { mapping, country, seen }, (leads) =>
      deps.database.withTransaction(scope, (tx) => knownIdentities(tx, organisationId, leads)),
    );
  return deps.checks.result(JSON.stringify([id, mapping, country]), async (tell, isWanted) => {
    const soFar: LeadImportCheck = { totals: null, checkedRows: 0, preview: await fatesOf(preview, new Set()) };
    tell(soFar);
    const totals = { new: 0, known: 0, repeated: 0, failed: 0 };
    const seen = new Set<string>();
    let rows: string[][] = [];
    const settle = async (): Promise<void> => {
      for (const fate of await fatesOf(rows, seen)) totals[fate] += 1;
      soFar.checkedRows += rows.length;
      rows = [];
    };
    for await (const { cells } of readCsv(deps.store.open(storedName, { startByte }), delimiter)) {
      if (isEmptyRow(cells) || rows.push(cells) < rowsAStep) continue;
      await settle();
      if (!isWanted()) return soFar;
    }
    await settle();
    return { ...soFar, totals };
  });
}

interface HowToRead {
  mapping: LeadMapping;
  country: CountryCode;
  /** Identities of the rows further up; those of new leads are added. */
  seen: Set<string>;
}

async function readFates(
  rows: readonly (readonly string[])[],
  { mapping, country, seen }: HowToRead,
  findKnown: (leads: readonly LeadIdentity[]) => Promise<Set<string>>,
): Promise<RowFate[]> {
  const read = rows.map((cells) => readLeadRow(cells, mapping));
  const numbers = await toPhoneNumbers(
    read.map((row) => ("lead" in row ? row.lead.phone : "")),
    country,
  );
  const leads = read.map((row, index) => ("lead" in row ? { ...row.lead, phoneNumber: numbers[index] ?? null } : null));
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
