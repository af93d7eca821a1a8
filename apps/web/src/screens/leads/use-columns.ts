import { useState } from "react";
import { fixedColumns, leadColumns, type LeadColumnKey, optionalColumns } from "./lead-columns.tsx";

const key = "leadline.lead-columns";

const inOrder = (chosen: readonly string[]): LeadColumnKey[] =>
  (Object.keys(leadColumns) as LeadColumnKey[]).filter(
    (column) => fixedColumns.includes(column) || chosen.includes(column),
  );

/** The list's columns, stored in this browser for its user. */
export function useColumns() {
  const [columns, setColumns] = useState(() => inOrder((localStorage.getItem(key) ?? "").split(",")));
  const choose = (chosen: readonly string[]): void => {
    const added = optionalColumns.filter((column) => chosen.includes(column));
    localStorage.setItem(key, added.join(","));
    setColumns(inOrder(added));
  };
  return { columns, choose };
}
