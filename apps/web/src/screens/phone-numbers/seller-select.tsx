import type { NumberSeller } from "@leadline/contract/phone-numbers";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";

interface SellerSelectProps {
  sellers: readonly NumberSeller[];
  seller: NumberSeller;
  onAccount: (accountId: string) => void;
}

/** Only shown if there is a choice. */
export function SellerSelect({ sellers, seller, onAccount }: SellerSelectProps) {
  if (sellers.length < 2) return null;
  return (
    <Field label="Carrier">
      {(control) => (
        <Select
          {...control}
          options={sellers.map(({ accountId, label, name }) => ({
            value: accountId ?? "",
            label: label === name ? name : `${label} (${name})`,
          }))}
          value={seller.accountId ?? ""}
          onValueChange={onAccount}
          className="md:max-w-[280px]"
        />
      )}
    </Field>
  );
}
