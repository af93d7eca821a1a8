import type { CarrierConnection, CarrierKind } from "@leadline/contract/carriers";
import { useState } from "react";
import { TableSkeleton } from "../../ui/table-skeleton.tsx";
import { Table, TableBody, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { type CarrierDialog, CarrierRow } from "./carrier-row.tsx";
import { TestCallDialog } from "./test-call-dialog.tsx";
import { VerifyCallerIdDialog } from "./verify-caller-id-dialog.tsx";
import { CheckDialog, RemoveCarrierDialog } from "./carrier-dialogs.tsx";

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
        <Head />
        <TableBody>
          {carriers.map((carrier) => (
            <CarrierRow
              key={carrier.id}
              carrier={carrier}
              kindName={kinds.find(({ kind }) => kind === carrier.kind)?.name ?? carrier.kind}
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

export const CarriersSkeleton = () => (
  <TableSkeleton
    label="Loading your carriers"
    head={<Head />}
    rows={2}
    actionsWidth="w-28"
    columns={[{ width: ["w-28", "w-40"] }, { width: "w-20", className: "max-md:hidden" }, { width: "w-20" }]}
  />
);

function Head() {
  return (
    <TableHead>
      <TableRow>
        <TableHeadCell>Label</TableHeadCell>
        <TableHeadCell className="max-md:hidden">Carrier</TableHeadCell>
        <TableHeadCell>State</TableHeadCell>
        <TableHeadCell align="right" className="right-0">
          Actions
        </TableHeadCell>
      </TableRow>
    </TableHead>
  );
}
