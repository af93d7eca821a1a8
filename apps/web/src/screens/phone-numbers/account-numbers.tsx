import { checkAccountNumbers } from "@leadline/contract/number-orders";
import type { NumberSeller } from "@leadline/contract/phone-numbers";
import { useMutation } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { UnusedNumbers } from "../../components/unused-numbers.tsx";
import { request } from "../../data/api-client.ts";
import { phoneNumbersKey, unusedNumbersQuery } from "../../data/phone-numbers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Numbers that the account already has, which can be used here. */
export function AccountNumbers({ accountId, name }: Pick<NumberSeller, "name"> & { accountId: string }) {
  const checking = useMutation({
    mutationFn: () => request(checkAccountNumbers, { params: { id: accountId } }),
    onSuccess: (unused) => {
      queryClient.setQueryData(unusedNumbersQuery(accountId).queryKey, unused);
      return queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
    },
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
      {checking.data?.length === 0 ? <output>The account has no other numbers.</output> : null}
      <UnusedNumbers accountId={accountId} name={name} />
    </section>
  );
}
