import { type AccountKind, type CarrierAccount, disconnectCarrierAccount } from "@leadline/contract/carrier-accounts";
import type { NumberOrder } from "@leadline/contract/number-orders";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { type SavedState, useAskBeforeClosing } from "../../components/use-ask-before-closing.tsx";
import { request } from "../../data/api-client.ts";
import { carrierAccountsQuery } from "../../data/carrier-accounts-query.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { numberOrdersQuery } from "../../data/phone-numbers-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { AccountForm } from "./account-form.tsx";

interface DisconnectDialogProps {
  account: CarrierAccount;
  vendorName: string;
  onClose: () => void;
}

export function DisconnectDialog({ account, vendorName, onClose }: DisconnectDialogProps) {
  const [leaves, setLeaves] = useState(false);
  const { id, label, trunk, failure } = account;
  const orders = useQuery(numberOrdersQuery).data ?? [];
  const inState = (wanted: NumberOrder["state"]): string[] =>
    orders
      .filter(({ accountId, state }) => accountId === id && state === wanted)
      .map(({ number }) => formatPhoneNumber(number));
  const [onOrder, inRelease] = [inState("pending"), inState("releasing")];
  return (
    <ConfirmDialog
      title={`Disconnect ${label}?`}
      action="Disconnect"
      cancel="Keep it"
      run={async () => {
        const query = { leave: leaves ? ("everything" as const) : ("nothing" as const) };
        // Also if it fails: the error then offers to leave everything at the vendor.
        await request(disconnectCarrierAccount, { params: { id }, query }).finally(() =>
          Promise.all(
            [carrierAccountsQuery, carriersQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
          ),
        );
      }}
      onDone={() => toast.success(`${label} is disconnected.`)}
      onClose={onClose}
    >
      <span className="block">
        {leaves
          ? `Its key and carrier are deleted here. Whatever is called ${trunk} stays at ${vendorName}.`
          : `What Leadline made at ${vendorName}, all of it called ${trunk}, is removed there, and its key and carrier here. Everything else in the account stays. You keep paying for its numbers there, but they leave Phone numbers and no longer ring here.`}
      </span>
      {onOrder.length > 0 ? (
        <span className="mt-3 block">
          {`${listed(onOrder)} still on order. `}
          {leaves
            ? `Leadline stops following that. If ${vendorName} delivers, the number is in the account and costs money there.`
            : `Leadline cancels that first. What ${vendorName} has delivered already stays in the account, costs money there, and is named in the audit log.`}
        </span>
      ) : null}
      {inRelease.length > 0 ? (
        <span className="mt-3 block">
          {`${listed(inRelease)} still being released. `}
          {leaves
            ? `Leadline stops trying. What ${vendorName} hasn’t released stays in the account and costs money there. Release it at ${vendorName}.`
            : "Leadline finishes that first."}
        </span>
      ) : null}
      {failure ? (
        <span className="mt-3 block">
          <Checkbox label={`Leave everything at ${vendorName}`} checked={leaves} onChange={setLeaves} />
        </span>
      ) : null}
    </ConfirmDialog>
  );
}

const listed = (numbers: readonly string[]): string =>
  `${new Intl.ListFormat("en").format(numbers)} ${numbers.length === 1 ? "is" : "are"}`;

interface NewKeyDialogProps {
  account: CarrierAccount;
  kind: AccountKind;
  onClose: () => void;
}

export function NewKeyDialog({ account, kind, onClose }: NewKeyDialogProps) {
  const [state, setState] = useState<SavedState>("saved");
  const { onOpenChange, question } = useAskBeforeClosing(state, onClose);
  return (
    <Dialog open onOpenChange={onOpenChange} title={`Another key for ${account.label}`}>
      <AccountForm kind={kind} account={account} onState={setState} onDone={onClose} />
      {question}
    </Dialog>
  );
}
