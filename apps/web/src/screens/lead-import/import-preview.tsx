import {
  type LeadImport,
  LeadMapping,
  type PartialLeadMapping,
  readLeadRow,
  type RowFate,
} from "@leadline/contract/lead-imports";
import { CircleAlert, CircleCheck, CircleMinus } from "lucide-react";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";

interface ImportPreviewProps {
  leadImport: LeadImport;
  mapping: PartialLeadMapping;
  /** For the previewed rows. Undefined until the server has compared them with the leads. */
  fates: readonly RowFate[] | undefined;
  skipKnownNumbers: boolean;
}

/** Previews the first rows as the import reads them and matches them with the leads. */
export function ImportPreview({ leadImport, mapping, fates, skipKnownNumbers }: ImportPreviewProps) {
  const isComplete = LeadMapping.safeParse(mapping).success;
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">
        {leadImport.preview.length === leadImport.rowCount ? "What will happen" : "Preview of the first rows"}
      </h2>
      <Table label="Preview" scrollClassName="max-h-80" className="max-sm:block">
        <TableHead className="max-sm:sr-only">
          <TableRow>
            <TableHeadCell>First name</TableHeadCell>
            <TableHeadCell>Last name</TableHeadCell>
            <TableHeadCell>Email</TableHeadCell>
            <TableHeadCell>Phone</TableHeadCell>
            <TableHeadCell>Status</TableHeadCell>
            <TableHeadCell>Result</TableHeadCell>
          </TableRow>
        </TableHead>
        <TableBody className="max-sm:block">
          {leadImport.preview.map((row, index) => {
            const read = readLeadRow(row, mapping);
            const shown = "lead" in read ? read.lead : asWritten(row, mapping);
            return (
              // On narrow screens the result is below the row instead of in a column.
              <TableRow
                key={String(index)}
                className="max-sm:grid max-sm:h-auto max-sm:grid-cols-2 max-sm:py-1.5 max-sm:[&>td:empty]:hidden"
              >
                <TableCell className="max-w-36 truncate">{shown.firstName}</TableCell>
                <TableCell className="max-w-36 truncate">{shown.lastName}</TableCell>
                <TableCell className="max-w-52 truncate">{shown.email}</TableCell>
                <TableCell className="whitespace-nowrap tabular-nums">{shown.phone}</TableCell>
                <TableCell>{shown.status}</TableCell>
                <TableCell className="max-sm:col-span-2 sm:min-w-56">
                  {!isComplete ? (
                    // Missing values aren't errors until the columns are mapped.
                    <span className="text-ink-soft">–</span>
                  ) : "lead" in read ? (
                    <Fate fate={fates?.[index]} skipKnownNumbers={skipKnownNumbers} />
                  ) : (
                    <span className="flex items-start gap-1.5 text-fault">
                      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" /> {read.message}
                    </span>
                  )}
                </TableCell>
              </TableRow>
            );
          })}
        </TableBody>
      </Table>
    </div>
  );
}

function asWritten(row: readonly string[], mapping: PartialLeadMapping) {
  const cell = (column: number | undefined) => (column === undefined ? "" : (row[column] ?? ""));
  return {
    firstName: cell(mapping.firstName),
    lastName: cell(mapping.lastName),
    email: cell(mapping.email),
    phone: cell(mapping.phone),
    status: cell(mapping.status),
  };
}

const whyKnown = { known: "it’s already in your leads", repeated: "it repeats a row above" };

function Fate({ fate, skipKnownNumbers }: { fate: RowFate | undefined; skipKnownNumbers: boolean }) {
  if (fate === undefined) return <span className="text-ink-soft">Comparing with your leads…</span>;
  const why = fate === "known" || fate === "repeated" ? whyKnown[fate] : null;
  if (why !== null && skipKnownNumbers)
    return (
      <span className="flex items-center gap-1.5 text-ink-soft">
        <CircleMinus className="size-4 shrink-0" aria-hidden="true" /> Left out: {why}
      </span>
    );
  return (
    <span className="flex items-center gap-1.5">
      <CircleCheck className="size-4 shrink-0 text-brand" aria-hidden="true" /> Will be imported
      {why === null ? null : `, though ${why}`}
    </span>
  );
}
