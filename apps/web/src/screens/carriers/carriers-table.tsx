import type { CarrierConnection, CarrierKind } from "@leadline/contract/carriers";
import type { CarrierAccount } from "@leadline/contract/carrier-accounts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { accountKindsQuery } from "../../data/carrier-accounts-query.ts";
import { ColumnHeads, type TableColumns, TableSkeleton } from "../../ui/table-columns.tsx";
import { Table, TableBody } from "../../ui/table.tsx";
import { DisconnectDialog } from "./account-dialogs.tsx";
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
  /** One of them made each carrier that was connected by API key. */
  accounts: readonly CarrierAccount[];
  kinds: readonly CarrierKind[];
  mayChange: boolean;
}

export function CarriersTable({ carriers, accounts, kinds, mayChange }: CarriersTableProps) {
  const [dialog, setDialog] = useState<{ kind: CarrierDialog; carrier: CarrierConnection } | null>(null);
  const close = () => setDialog(null);
  const accountOf = ({ id }: CarrierConnection) => accounts.find(({ carrierId }) => carrierId === id);
  const vendors = useQuery(accountKindsQuery).data;
  const leaving = dialog?.kind === "disconnect" ? accountOf(dialog.carrier) : undefined;
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
              isByKey={accountOf(carrier) !== undefined}
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
      {leaving ? (
        <DisconnectDialog
          account={leaving}
          vendorName={vendors?.find(({ vendor }) => vendor === leaving.vendor)?.name ?? leaving.vendor}
          onClose={close}
        />
      ) : null}
      {dialog?.kind === "remove" ? <RemoveCarrierDialog carrier={dialog.carrier} onClose={close} /> : null}
    </>
  );
}

export const CarriersSkeleton = () => <TableSkeleton label="Loading your carriers" rows={2} {...columns} />;
