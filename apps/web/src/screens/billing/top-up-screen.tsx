import { downloadReceipt } from "@leadline/contract/receipts";
import { cancelTopUp, getTopUp, type TopUp } from "@leadline/contract/top-ups";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ArrowLeft, Download, ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { formatMicros } from "../../components/format-money.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { may } from "../../components/may.ts";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { useTimes } from "../../components/use-times.ts";
import { request, requestFile } from "../../data/api-client.ts";
import { billingKey } from "../../data/billing-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { saveFile } from "../../data/save-file.ts";
import { topUpQuery } from "../../data/top-ups-query.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TopUpBadge } from "./top-ups.tsx";

/** One top-up. Payment providers redirect the browser here. */
export function TopUpScreen() {
  const organisation = usePageOrganisation();
  const { topUpId } = useParams({ from: "/signed-in/settings/billing/top-ups/$topUpId" });
  if (!organisation) return <NoOrganisation title="Top-up" />;
  return (
    <div className="mx-auto flex max-w-[640px] flex-col gap-5">
      <PageHeader title="Top-up" />
      {may(organisation.role, getTopUp) ? (
        <Loaded id={topUpId} />
      ) : (
        <Notice tone="brass">Only owners and admins can see top-ups.</Notice>
      )}
      <Button tone="plain" asChild className="self-start max-md:h-11">
        <Link to="/settings/billing">
          <ArrowLeft aria-hidden="true" /> Billing
        </Link>
      </Button>
    </div>
  );
}

function Loaded({ id }: { id: string }) {
  const topUp = useQuery(topUpQuery(id));
  if (topUp.data) return <Details topUp={topUp.data} />;
  if (topUp.isError) return <LoadFailed what="The top-up" query={topUp} />;
  return (
    <div role="status" aria-label="Loading the top-up">
      <Skeleton className="h-40 w-full rounded-md" />
    </div>
  );
}

function Details({ topUp }: { topUp: TopUp }) {
  const times = useTimes();
  const downloading = useMutation({
    mutationFn: () => requestFile(downloadReceipt, { params: { id: topUp.id } }),
    onSuccess: (content) => saveFile(content, `receipt-${topUp.receiptNumber}.pdf`),
  });
  const canceling = useMutation({
    mutationFn: () => request(cancelTopUp, { params: { id: topUp.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: billingKey }),
  });
  return (
    <div className="flex flex-col gap-5 rounded-md border border-line bg-panel p-5">
      <div role="status" className="flex flex-col gap-1">
        <p className="flex flex-wrap items-center gap-3">
          <span className="text-title font-semibold tabular-nums">{formatMicros(topUp.amountMicros)}</span>
          <TopUpBadge topUp={topUp} />
        </p>
        <p className="text-sm text-pretty">{sentences[topUp.state]}</p>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <Fact name="Started">
          {times.full(topUp.createdAt)} {topUp.isAutomatic ? "automatically" : `by ${topUp.userName}`}
        </Fact>
        {topUp.receiptNumber === null ? null : <Fact name="Receipt">{topUp.receiptNumber}</Fact>}
        {topUp.paidAt === null ? null : <Fact name="Paid">{times.full(topUp.paidAt)}</Fact>}
        {topUp.method === null ? null : <Fact name="Paid with">{topUp.method}</Fact>}
        <Fact name="Provider">
          {topUp.providerName}
          {topUp.isSandbox ? ". No money moves there." : ""}
        </Fact>
        {topUp.refundedMicros > 0 ? <Fact name="Refunded">{formatMicros(topUp.refundedMicros)}</Fact> : null}
        {topUp.chargedBackMicros > 0 ? (
          <Fact name="Taken back by the payer’s bank">{formatMicros(topUp.chargedBackMicros)}</Fact>
        ) : null}
      </dl>
      {downloading.isError ? <Notice>{problemDetail(downloading.error)}</Notice> : null}
      {canceling.isError ? <Notice>{problemDetail(canceling.error)}</Notice> : null}
      <div className="flex flex-wrap gap-2">
        {topUp.receiptNumber === null ? null : (
          <Button className="max-md:h-11" busy={downloading.isPending} onClick={() => downloading.mutate()}>
            <Download aria-hidden="true" /> Download receipt
          </Button>
        )}
        {topUp.checkoutUrl === null ? null : (
          <Button asChild tone={topUp.state === "open" ? "primary" : "plain"} className="max-md:h-11">
            <a href={topUp.checkoutUrl}>
              <ExternalLink aria-hidden="true" />
              {topUp.state === "open" ? "Continue to payment" : "Open in the sandbox"}
            </a>
          </Button>
        )}
        {topUp.state === "open" && !topUp.isAutomatic ? (
          <Button tone="plain" className="max-md:h-11" busy={canceling.isPending} onClick={() => canceling.mutate()}>
            Cancel top-up
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const sentences: Record<TopUp["state"], string> = {
  open: "The payment hasn’t arrived yet. This page updates by itself.",
  paid: "The payment has arrived, and your balance includes it.",
  declined: "The payment was declined. You haven’t been charged.",
  expired: "The payment was canceled or not made in time. You haven’t been charged.",
};

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="text-pretty wrap-anywhere">{children}</dd>
    </>
  );
}
