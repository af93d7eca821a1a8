import type { CarrierConnection, CarrierKind } from "@leadline/contract/carriers";
import { useState } from "react";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody } from "../../ui/table.tsx";
import { type CarrierDialog, CarrierRow } from "./carrier-row.tsx";
import { TestCallDialog } from "./test-call-dialog.tsx";
import { VerifyCallerIdDialog } from "./verify-caller-id-dialog.tsx";
import { CheckDialog, RemoveCarrierDialog } from "./carrier-dialogs.tsx";

const columns: TableColumns = {
  columns: [
    { head: "Label", width: ["w-28", "w-40"] },
    { head: "Carrier", width: "w-20", className: "max-md:hidden" },
    { head: "State", width: "w-20" },
  ],
  actions: { width: "w-28", className: "right-0" },
};

interface CarriersTableProps {
  carriers: readonly CarrierConnection[];
  kinds: readonly CarrierKind[];
  mayChange: boolean;
}

export function CarriersTable({ carriers, kinds, mayChange }: CarriersTableProps) {
  const [dialog, setDialog] = useState<{ kind: CarrierDialog; carrier: CarrierConnection } | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <Table label="Carriers">
        <ColumnHeads {...columns} />
        <TableBody>
          {carriers.map((carrier) => (
            <CarrierRow
              key={carrier.id}
              carrier={carrier}
              kindName={kinds.find(({ kind }) => kind === carrier.kind)?.name ?? carrier.kind}
              inUseIds={carriers.filter(({ inUse }) => inUse).map(({ id }) => id)}
              mayChange={mayChange}
              onOpen={(kind) => setDialog({ kind, carrier })}
            />
          ))}
        </TableBody>
      </Table>
      {dialog?.kind === "check" ? <CheckDialog carrier={dialog.carrier} onClose={close} /> : null}
      {dialog?.kind === "test-call" ? <TestCallDialog carrier={dialog.carrier} onClose={close} /> : null}
      {dialog?.kind === "verify-caller-id" && dialog.carrier.callerId ? (
        <VerifyCallerIdDialog carrier={dialog.carrier} callerId={dialog.carrier.callerId} onClose={close} />
      ) : null}
      {dialog?.kind === "remove" ? <RemoveCarrierDialog carrier={dialog.carrier} onClose={close} /> : null}
    </>
  );
}

export const CarriersSkeleton = () => <TableSkeleton label="Loading your carriers" rows={2} {...columns} />;
