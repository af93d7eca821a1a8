import { exportLeadImportErrors, type LeadImport } from "@leadline/contract/lead-imports";
import { useQuery } from "@tanstack/react-query";
import { requestFile } from "../../data/api-client.ts";
import { leadImportErrorsQuery } from "../../data/lead-import-query.ts";
import { saveFile } from "../../data/save-file.ts";
import { TableCell, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { RowList } from "./row-list.tsx";

export function RowErrors({ leadImport: { id, fileName, failed } }: { leadImport: LeadImport }) {
  return (
    <RowList
      what="rows that were not imported"
      rows={useQuery(leadImportErrorsQuery(id))}
      count={failed}
      empty="Every row was imported."
      head={
        <>
          <TableHeadCell align="right" className="w-16">
            Row
          </TableHeadCell>
          <TableHeadCell>Why</TableHeadCell>
        </>
      }
      download={async () => {
        const content = await requestFile(exportLeadImportErrors, { params: { id } });
        saveFile(content, `not imported of ${fileName}.csv`);
      }}
    >
      {({ row, message }) => (
        <TableRow key={row}>
          <TableCell align="right">{row.toLocaleString()}</TableCell>
          <TableCell>{message}</TableCell>
        </TableRow>
      )}
    </RowList>
  );
}
