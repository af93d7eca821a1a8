import { exportLeadImportDuplicates, type ImportDuplicate, type LeadImport } from "@leadline/contract/lead-imports";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { leadName } from "../../components/lead-name.ts";
import { requestFile } from "../../data/api-client.ts";
import { leadImportDuplicatesQuery } from "../../data/lead-import-query.ts";
import { saveFile } from "../../data/save-file.ts";
import { textLinkLook } from "../../components/auth-card.tsx";
import { TableCell, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { RowList } from "./row-list.tsx";

type Imported = Pick<LeadImport, "id" | "fileName" | "duplicates">;

const results = { "left-out": "Left out", imported: "Imported" } as const;

export function Duplicates({ leadImport: { id, fileName, duplicates } }: { leadImport: Imported }) {
  return (
    <RowList
      what="duplicates"
      rows={useQuery(leadImportDuplicatesQuery(id))}
      count={duplicates}
      empty="No row matched a lead or another row."
      head={
        <>
          <TableHeadCell align="right" className="w-16">
            Row
          </TableHeadCell>
          <TableHeadCell className="max-sm:hidden">Name</TableHeadCell>
          <TableHeadCell>Matches</TableHeadCell>
          <TableHeadCell className="w-24">Result</TableHeadCell>
        </>
      }
      download={async () => {
        const content = await requestFile(exportLeadImportDuplicates, { params: { id } });
        saveFile(content, `duplicates in ${fileName}.csv`);
      }}
    >
      {(duplicate) => (
        <TableRow key={duplicate.row}>
          <TableCell align="right">{duplicate.row.toLocaleString()}</TableCell>
          <TableCell className="max-w-48 truncate max-sm:hidden">
            <bdi>{duplicate.name}</bdi>
          </TableCell>
          <TableCell className="wrap-anywhere">
            <Match duplicate={duplicate} />
          </TableCell>
          <TableCell className="whitespace-nowrap">{results[duplicate.done]}</TableCell>
        </TableRow>
      )}
    </RowList>
  );
}

function Match({ duplicate: { matchedBy, lead, earlierRow } }: { duplicate: ImportDuplicate }) {
  return (
    <>
      {matchedBy === "phone-number" ? "Same phone number as " : "Same name, email and phone as "}
      {earlierRow !== null ? (
        `row ${earlierRow.toLocaleString()}`
      ) : lead === null ? (
        "a lead deleted since"
      ) : (
        <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={textLinkLook}>
          <bdi>{leadName(lead)}</bdi>
        </Link>
      )}
    </>
  );
}
