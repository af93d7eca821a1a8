import type { LeadImportCheck, LeadMapping, RowFate } from "@leadline/contract/lead-imports";
import { mostCheckedRows, readLeadRow } from "@leadline/contract/lead-imports";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { knownNumbers } from "../leads/known-numbers.ts";
import { toPhoneNumbers } from "../leads/to-phone-number.ts";
import { defaultCountryOf } from "../organisations/default-country.ts";
import type { LeadImportDeps } from "./lead-import-deps.ts";
import { isEmptyRow, readCsv } from "./read-csv.ts";
import { requireLeadImport } from "./read-lead-import.ts";

interface CheckLeadImport {
  id: string;
  mapping: LeadMapping;
}

/** What would become of the rows, by the functions that the import itself reads and compares them with. Changes nothing. */
export async function checkLeadImport(
  deps: Pick<LeadImportDeps, "database" | "store">,
  caller: Member,
  { id, mapping }: CheckLeadImport,
): Promise<LeadImportCheck> {
  const organisationId = caller.organisation.id;
  const scope = { organisationId, userId: caller.userId };
  const { draft, country } = await deps.database.withTransaction(scope, async (tx) => ({
    draft: await requireLeadImport(tx, { id, organisationId }),
    country: await defaultCountryOf(tx, organisationId),
  }));
  if (draft.stored_name === null)
    throw new Problem("import-started", "This import is over. Upload the file again to import it anew.");
  const isWhole = draft.row_count <= mostCheckedRows;
  const phones: (string | null)[] = [];
  const note = (cells: readonly string[]): void => {
    const read = readLeadRow(cells, mapping);
    phones.push("lead" in read ? read.lead.phone : null);
  };
  if (isWhole) {
    const content = deps.store.open(draft.stored_name, { startByte: draft.bytes_read });
    // Piece by piece, so that others have their turn.
    for await (const { cells } of readCsv(content, draft.delimiter)) if (!isEmptyRow(cells)) note(cells);
  } else draft.preview.forEach(note);

  const written = await toPhoneNumbers(
    phones.map((phone) => phone ?? ""),
    country,
  );
  const numbers = written.map((number, index) => (phones[index] === null ? undefined : number));
  const known = await deps.database.withTransaction(scope, (tx) =>
    knownNumbers(
      tx,
      organisationId,
      numbers.flatMap((number) => number ?? []),
    ),
  );
  const fates = fatesOf(numbers, known);
  const count = (fate: RowFate): number => fates.filter((each) => each === fate).length;
  const totals = { new: count("new"), known: count("known"), repeated: count("repeated"), failed: count("failed") };
  return { totals: isWhole ? totals : null, preview: fates.slice(0, draft.preview.length) };
}

/** Of each row its number: undefined where the row is no lead, null where its phone is no number. */
function fatesOf(numbers: readonly (string | null | undefined)[], known: ReadonlySet<string>): RowFate[] {
  const seen = new Set<string>();
  return numbers.map((number) => {
    if (number === undefined) return "failed";
    if (number === null) return "new";
    if (known.has(number)) return "known";
    if (seen.has(number)) return "repeated";
    seen.add(number);
    return "new";
  });
}
