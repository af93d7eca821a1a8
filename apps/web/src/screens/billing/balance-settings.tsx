import { type BalanceSettings as Settings, updateBalanceSettings } from "@leadline/contract/top-ups";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { toast } from "sonner";
import { formatMicros } from "../../components/format-money.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { request } from "../../data/api-client.ts";
import { billingKey } from "../../data/billing-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { balanceSettingsQuery } from "../../data/top-ups-query.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AutomaticTopUpDialog } from "./automatic-top-up-dialog.tsx";
import { LowBalanceDialog } from "./low-balance-dialog.tsx";

/** What happens at a low balance: an email to the owners, and an automatic top-up. */
export function BalanceSettings() {
  const settings = useQuery(balanceSettingsQuery);
  if (settings.data) return <Shown settings={settings.data} />;
  if (settings.isError) return <LoadFailed what="The settings of the balance" query={settings} />;
  return <Skeleton className="h-28 w-full rounded-md" />;
}

function Shown({ settings }: { settings: Settings }) {
  const [open, setOpen] = useState<"low" | "automatic">();
  const close = () => setOpen(undefined);
  const { lowBelowMicros, automatic, savedMethod, pausedWhy, canSaveMethod } = settings;
  const narrowing = useMutation({
    mutationFn: (body: { automatic: null } | { savedMethod: null }) => request(updateBalanceSettings, { body }),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: billingKey });
      toast.success("Saved.");
    },
  });
  return (
    <div className="divide-y divide-line rounded-md border border-line bg-panel">
      <Row
        name="Low-balance email"
        says={
          lowBelowMicros === null
            ? "Off. Nobody is mailed when the balance gets low."
            : `Owners are mailed once each time the balance falls below ${formatMicros(lowBelowMicros)}.`
        }
      >
        <Button tone="plain" className="max-md:h-11" onClick={() => setOpen("low")}>
          {lowBelowMicros === null ? "Turn on" : "Change"}
          <span className="sr-only"> low-balance email</span>
        </Button>
      </Row>
      {canSaveMethod ? (
        <Row name="Automatic top-up" says={messageFor(settings)}>
          {savedMethod === null ? null : (
            <>
              <Button
                tone="quiet"
                className="max-md:h-11"
                busy={narrowing.isPending}
                onClick={() => narrowing.mutate(automatic === null ? { savedMethod: null } : { automatic: null })}
              >
                {automatic === null ? "Forget payment method" : "Turn off"}
              </Button>
              <Button tone="plain" className="max-md:h-11" onClick={() => setOpen("automatic")}>
                {automatic === null ? "Turn on" : "Change"}
                <span className="sr-only"> automatic top-up</span>
              </Button>
            </>
          )}
        </Row>
      ) : null}
      {pausedWhy !== null && automatic !== null ? (
        <Notice title="Automatic top-ups are paused" className="m-3">
          {pausedWhy} Change the automatic top-up to try again. To use another payment method, save it first when you
          top up.
        </Notice>
      ) : null}
      {narrowing.isError ? <Notice className="m-3">{problemDetail(narrowing.error)}</Notice> : null}
      {open === "low" ? <LowBalanceDialog belowMicros={lowBelowMicros} onClose={close} /> : null}
      {open === "automatic" ? <AutomaticTopUpDialog settings={settings} onClose={close} /> : null}
    </div>
  );
}

function messageFor({ automatic, savedMethod, addedThisMonthMicros }: Settings): string {
  if (savedMethod === null) return "Off. To use it, save a payment method when you top up.";
  if (automatic === null) return `Off. ${savedMethod} is saved for it.`;
  const { belowMicros, amountMicros, monthLimitMicros } = automatic;
  const limit = `${formatMicros(addedThisMonthMicros)} of at most ${formatMicros(monthLimitMicros)} this month`;
  return `Adds ${formatMicros(amountMicros)} with ${savedMethod} when the balance falls below ${formatMicros(belowMicros)}: ${limit}.`;
}

function Row({ name, says, children }: { name: string; says: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <h3 className="text-sm font-medium">{name}</h3>
        <p className="text-table text-pretty text-ink-soft">{says}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}
