import { type CarrierAccount, reconnectCarrierAccount } from "@leadline/contract/carrier-accounts";
import type { CarrierConnection } from "@leadline/contract/carriers";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Circle, CircleAlert, CircleCheck, KeyRound, RefreshCw, Unplug } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { UnusedNumbers } from "../../components/unused-numbers.tsx";
import { request } from "../../data/api-client.ts";
import { accountKindsQuery, carrierAccountsQuery } from "../../data/carrier-accounts-query.ts";
import { carriersQuery } from "../../data/carriers-query.ts";
import { phoneNumbersQuery } from "../../data/phone-numbers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { DisconnectDialog, NewKeyDialog } from "./account-dialogs.tsx";

const titles: Record<CarrierAccount["steps"][number]["step"], string> = {
  account: "Account read",
  trunk: "Trunk ready",
  credentials: "Credentials set",
  inbound: "Calls possible",
};

interface AccountCardProps {
  account: CarrierAccount;
  /** Its trunk. Undefined if it isn't set up yet, or was removed. */
  carrier: CarrierConnection | undefined;
  mayChange: boolean;
}

/** An account at a carrier, with each step of connecting it, and actions for its owner. */
export function AccountCard({ account, carrier, mayChange }: AccountCardProps) {
  const [dialog, setDialog] = useState<"disconnect" | "key" | null>(null);
  const { id, state } = account;
  const kind = useQuery(accountKindsQuery).data?.find(({ vendor }) => vendor === account.vendor);
  const isBusy = state === "connecting" || state === "disconnecting";
  const again = useMutation({
    mutationFn: () => request(reconnectCarrierAccount, { params: { id }, body: {} }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: carrierAccountsQuery.queryKey }),
  });
  // Once connected, its carrier is in the list.
  useEffect(() => {
    if (!isBusy) void queryClient.invalidateQueries({ queryKey: carriersQuery.queryKey });
  }, [isBusy]);
  const lacksNumber = useLacksNumber(account, carrier);
  const current = state === "connecting" ? account.steps.find(({ done }) => !done)?.step : undefined;
  const name = kind?.name ?? account.vendor;
  return (
    <section
      aria-label={`${account.label}, ${name} account`}
      className="flex flex-col gap-3 rounded-md border border-line bg-panel px-4 py-4 text-sm"
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 truncate text-base font-semibold">{account.label}</h2>
        <span className="text-ink-soft">{account.label === name ? "by API key" : `${name}, by API key`}</span>
        {account.carrierRemoved ? <Badge tone="fault">Carrier removed</Badge> : <StateBadge {...{ state, carrier }} />}
        {account.isSandbox ? <Badge tone="brass">Sandbox</Badge> : null}
      </div>
      {account.failure ? (
        <Notice>
          {account.failure}
          {account.isUsed && state === "failed" ? " Until then, calls and numbers use the previous connection." : null}
        </Notice>
      ) : null}
      {account.carrierRemoved ? (
        <Notice tone="brass">
          Its carrier was removed from this page, so calls don’t go through it and its numbers don’t ring here.{" "}
          {mayChange ? "Connect it again to use it." : "An owner can connect it again."}
        </Notice>
      ) : null}
      {account.addressChange ? (
        <Notice>
          {name} sends inbound calls to {account.addressChange.from}, but{" "}
          {account.addressChange.to === null
            ? "this server no longer takes calls there"
            : `this server’s address is now ${account.addressChange.to}`}
          , so calls to the account’s numbers may not arrive.{" "}
          {mayChange ? "Connect again to correct that." : "An owner can connect it again."}
        </Notice>
      ) : null}
      {again.isError ? <Notice>{problemDetail(again.error)}</Notice> : null}
      {account.restriction ? <Notice tone="brass">{account.restriction}</Notice> : null}
      {lacksNumber ? (
        <Notice tone="brass">
          No number yet: {name} refuses calls that show none of this account’s numbers.{" "}
          <Link to="/settings/phone-numbers/assign" search={{ account: id }} className="underline">
            Get a phone number
          </Link>
          , or use one that the account already has.
        </Notice>
      ) : null}
      {state === "connected" && !account.carrierRemoved ? <UnusedNumbers accountId={id} name={name} /> : null}
      <ol aria-label="Steps" aria-live="polite" className="flex flex-col gap-2">
        {account.steps.map(({ step, done, sentence }) => {
          const shown: ShownStep =
            step === "inbound" && done && !isBusy
              ? describeTrunk(carrier, { inbound: sentence ?? "", lacksNumber })
              : { mark: done ? "done" : step === current ? "busy" : "open", title: titles[step], sentence };
          return (
            <li key={step} className="flex items-start gap-2.5">
              {marks[shown.mark]}
              <p className="min-w-0 text-pretty [overflow-wrap:anywhere]">
                <span className="font-medium">{shown.title}.</span>{" "}
                <span className="text-ink-soft">{shown.sentence ?? ""}</span>
              </p>
            </li>
          );
        })}
      </ol>
      {mayChange ? (
        <div className="flex flex-wrap gap-2">
          <Button
            {...(account.carrierRemoved ? {} : { tone: "plain" as const })}
            size="small"
            busy={again.isPending || isBusy}
            onClick={() => again.mutate()}
          >
            <RefreshCw aria-hidden="true" /> Connect again
          </Button>
          {kind ? (
            <Button tone="quiet" size="small" onClick={() => setDialog("key")}>
              <KeyRound aria-hidden="true" /> Change key
            </Button>
          ) : null}
          <Button tone="quiet" size="small" className="text-fault" onClick={() => setDialog("disconnect")}>
            <Unplug aria-hidden="true" /> Disconnect
          </Button>
        </div>
      ) : null}
      {dialog === "disconnect" ? (
        <DisconnectDialog account={account} vendorName={name} onClose={() => setDialog(null)} />
      ) : null}
      {dialog === "key" && kind ? <NewKeyDialog account={account} kind={kind} onClose={() => setDialog(null)} /> : null}
    </section>
  );
}

type Mark = "done" | "busy" | "open" | "down";

interface ShownStep {
  mark: Mark;
  title: string;
  sentence: string | null;
}

const marks: Record<Mark, ReactNode> = {
  done: <CircleCheck role="img" aria-label="Done" className="mt-0.5 size-4 shrink-0 text-brand" />,
  busy: <Spinner />,
  open: <Circle role="img" aria-label="Not done" className="mt-0.5 size-4 shrink-0 text-ink-soft" />,
  down: <CircleAlert role="img" aria-label="Down" className="mt-0.5 size-4 shrink-0 text-fault" />,
};

/** False until the numbers are loaded. A caller ID in the trunk's own settings counts too, once it is verified. */
function useLacksNumber(account: CarrierAccount, carrier: CarrierConnection | undefined): boolean {
  const numbers = useQuery(phoneNumbersQuery).data;
  if (!numbers || !carrier || account.state !== "connected") return false;
  return carrier.callerId?.unverifiedAt.length !== 0 && numbers.every(({ accountId }) => accountId !== account.id);
}

/** Whether calls are possible now: the trunk may have gone down since it was set up. `inbound`: how calls arrive. */
function describeTrunk(
  carrier: CarrierConnection | undefined,
  { inbound, lacksNumber }: { inbound: string; lacksNumber: boolean },
): ShownStep {
  const title = titles.inbound;
  if (!carrier) return { mark: "open", title: "No calls possible", sentence: "Its carrier was removed." };
  if (lacksNumber && carrier.state.level !== "down")
    return { mark: "open", title: "No outbound calls without a number", sentence: inbound };
  const { level, sentence } = carrier.state;
  switch (level) {
    case "down":
      return { mark: "down", title: "No calls possible now", sentence };
    case "starting":
      return { mark: "busy", title: "Checking the trunk", sentence };
    case "unused":
      return { mark: "done", title, sentence: `It isn’t in use, so no calls go there yet. ${inbound}` };
    case "partly":
      return { mark: "done", title, sentence: `${sentence} ${inbound}` };
    case "working":
      return { mark: "done", title, sentence: inbound };
  }
}

function StateBadge({ state, carrier }: Pick<CarrierAccount, "state"> & Pick<AccountCardProps, "carrier">) {
  switch (state) {
    case "connected":
      return carrier?.state.level === "down" ? (
        <Badge tone="fault">Trunk down</Badge>
      ) : (
        <Badge tone="brand">Connected</Badge>
      );
    case "connecting":
      return <Badge tone="brass">Connecting</Badge>;
    case "disconnecting":
      return <Badge tone="brass">Disconnecting</Badge>;
    case "failed":
      return <Badge tone="fault">Failed</Badge>;
  }
}
