import { type BillingSummary, setBillingMode } from "@leadline/contract/billing";
import { useMutation, useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { may } from "../../components/may.ts";
import { useOwnRole } from "../../components/use-own-role.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { billingKey, billingSummaryQuery } from "../../data/billing-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

const words: Record<BillingSummary["mode"], { name: string; means: string; other: BillingSummary["mode"] }> = {
  metered: {
    name: "Metered",
    means: "Your own carrier bills you. Leadline counts costs and refuses calls only by the limits.",
    other: "prepaid",
  },
  prepaid: {
    name: "Prepaid",
    means:
      "Calls need a balance. The first minute is held before a call is dialled, then each next one. A call ends when the balance is used up, after a warning.",
    other: "metered",
  },
};

/** How the organisation pays for calls, shown to those who see its bill. An owner chooses. */
export function BillingMode() {
  const summary = useQuery(billingSummaryQuery).data;
  const role = useOwnRole();
  const { confirmed, dialog } = usePasswordConfirmation();
  const changing = useMutation({
    mutationFn: (mode: BillingSummary["mode"]) =>
      confirmed((currentPassword) => request(setBillingMode, { body: { mode, currentPassword } })),
    async onSuccess({ mode }) {
      await queryClient.invalidateQueries({ queryKey: billingKey });
      toast.success(`Calls are now ${words[mode].name.toLowerCase()}.`);
    },
  });
  if (!summary) return null;
  const { name, means, other } = words[summary.mode];
  return (
    <section aria-labelledby="billing-mode" className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 flex-1 basis-72">
        <h2 id="billing-mode" className="text-base font-semibold">
          {name}
        </h2>
        <p className="max-w-[72ch] text-sm text-pretty text-ink-soft">{means}</p>
      </div>
      {may(role, setBillingMode) ? (
        <Button tone="plain" className="max-md:h-11" busy={changing.isPending} onClick={() => changing.mutate(other)}>
          Switch to {words[other].name.toLowerCase()}
        </Button>
      ) : null}
      {dialog}
      {changing.isError ? <Notice className="w-full">{problemDetail(changing.error)}</Notice> : null}
    </section>
  );
}
