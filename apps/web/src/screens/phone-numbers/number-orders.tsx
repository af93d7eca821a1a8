import { dismissNumberOrder, type NumberOrder } from "@leadline/contract/number-orders";
import { useMutation, useQuery } from "@tanstack/react-query";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { request } from "../../data/api-client.ts";
import { numberOrdersQuery, phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Unfinished and refused purchases, unfinished releases, and changes made at a carrier outside Leadline. */
export function NumberOrders({ mayManage }: { mayManage: boolean }) {
  const orders = useQuery({ ...numberOrdersQuery, refetchOnMount: "always" }).data ?? [];
  return orders.map((order) => <OrderNotice key={order.id} order={order} mayManage={mayManage} />);
}

function OrderNotice({ order, mayManage }: { order: NumberOrder; mayManage: boolean }) {
  const { id, number, provider, state, sentence } = order;
  const dismissing = useMutation({
    mutationFn: () => request(dismissNumberOrder, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: phoneNumbersKey }),
  });
  const shown = formatPhoneNumber(number);
  const titles: Record<NumberOrder["state"], string> = {
    pending: `${shown} is on order at ${provider}`,
    bought: `${shown} is yours`,
    refused: `${shown} couldn’t be bought`,
    releasing: `${shown} is being released at ${provider}`,
    "changed-elsewhere": `${shown} was changed at ${provider}`,
  };
  return (
    <Notice
      tone={state === "refused" ? "fault" : "brass"}
      title={titles[state]}
      action={
        mayManage && state !== "pending" && state !== "releasing" ? (
          <Button tone="quiet" size="small" busy={dismissing.isPending} onClick={() => dismissing.mutate()}>
            Dismiss
          </Button>
        ) : null
      }
    >
      {sentence?.replaceAll(number, shown)}
      {dismissing.isError ? ` ${problemDetail(dismissing.error)}` : null}
    </Notice>
  );
}
