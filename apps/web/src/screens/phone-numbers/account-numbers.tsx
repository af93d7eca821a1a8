import { adoptNumber, checkAccountNumbers, type UnusedNumber } from "@leadline/contract/number-orders";
import type { NumberSeller } from "@leadline/contract/phone-numbers";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { request } from "../../data/api-client.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Numbers that the account already has. Each can be moved here from where it rings now. */
export function AccountNumbers({ accountId, name }: Pick<NumberSeller, "name"> & { accountId: string }) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<UnusedNumber | null>(null);
  const checking = useMutation({
    mutationFn: () => request(checkAccountNumbers, { params: { id: accountId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: phoneNumbersKey }),
  });
  return (
    <section className="flex flex-col items-start gap-3 border-t border-line pt-5 text-sm">
      <div>
        <h2 className="text-base font-semibold">Numbers you already have at {name}</h2>
        <p className="text-pretty text-ink-soft">
          Use one here without buying it again. Leadline also looks every ten minutes for numbers bought or released
          there.
        </p>
      </div>
      <Button tone="plain" size="small" busy={checking.isPending} onClick={() => checking.mutate()}>
        <RefreshCw aria-hidden="true" /> Check the account
      </Button>
      {checking.isError ? <Notice>{problemDetail(checking.error)}</Notice> : null}
      {checking.data?.length === 0 ? (
        <output>The account has no other numbers.</output>
      ) : checking.data ? (
        <ul aria-label={`Numbers at ${name}`} className="flex w-full flex-col divide-y divide-line">
          {checking.data.map((each) => (
            <li key={each.number} className="flex items-center justify-between gap-3 py-2">
              <span className="min-w-0">
                <span className="font-medium tabular-nums">{formatPhoneNumber(each.number)}</span>
                <span className="block text-table text-ink-soft [overflow-wrap:anywhere]">
                  {each.ringsAt === null ? "Rings at no trunk" : `Rings at ${each.ringsAt}`}
                </span>
              </span>
              <Button
                tone="plain"
                size="small"
                aria-label={`Use ${formatPhoneNumber(each.number)} here`}
                onClick={() => setChosen(each)}
              >
                Use here
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
      {chosen ? (
        <ConfirmDialog
          title={`Use ${formatPhoneNumber(chosen.number)} here?`}
          action="Use here"
          run={() => request(adoptNumber, { params: { id: accountId }, body: { number: chosen.number } })}
          onDone={async () => {
            await queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
            await navigate({ to: "/settings/phone-numbers" });
            toast.success(`${formatPhoneNumber(chosen.number)} rings here now.`);
          }}
          onClose={() => setChosen(null)}
        >
          Calls to it ring in Leadline from now on, and no longer where {name} sends them today.
        </ConfirmDialog>
      ) : null}
    </section>
  );
}
