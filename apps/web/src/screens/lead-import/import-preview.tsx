import { type LeadImport, type PartialLeadMapping, readLeadRow } from "@leadline/contract/lead-imports";
import { CircleAlert, CircleCheck } from "lucide-react";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";

interface ImportPreviewProps {
  leadImport: LeadImport;
  mapping: PartialLeadMapping;
}

/** What becomes of the first rows, by the very function that the import reads them with. */
export function ImportPreview({ leadImport, mapping }: ImportPreviewProps) {
  const cell = (row: readonly string[], column: number | undefined) =>
    column === undefined ? "" : (row[column] ?? "");
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">
        {leadImport.preview.length === leadImport.rowCount ? "What becomes of them" : "What becomes of the first rows"}
      </h2>
      <Table label="Preview" scrollClassName="max-h-80">
        <TableHead>
          <TableRow>
            <TableHeadCell>First name</TableHeadCell>
            <TableHeadCell>Last name</TableHeadCell>
            <TableHeadCell>Email</TableHeadCell>
            <TableHeadCell>Phone</TableHeadCell>
            <TableHeadCell>Status</TableHeadCell>
            <TableHeadCell>Result</TableHeadCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {leadImport.preview.map((row, index) => {
            const read = readLeadRow(row, mapping);
            return (
              <TableRow key={String(index)}>
                <TableCell className="max-w-36 truncate">{cell(row, mapping.firstName)}</TableCell>
                <TableCell className="max-w-36 truncate">{cell(row, mapping.lastName)}</TableCell>
                <TableCell className="max-w-52 truncate">{cell(row, mapping.email)}</TableCell>
                <TableCell className="whitespace-nowrap tabular-nums">{cell(row, mapping.phone)}</TableCell>
                <TableCell>{cell(row, mapping.status)}</TableCell>
                <TableCell className="min-w-56">
                  {"lead" in read ? (
                    <span className="flex items-center gap-1.5">
                      <CircleCheck className="size-4 shrink-0 text-brand" aria-hidden="true" /> Will be imported
                    </span>
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
