import { listTopUps, type TopUp } from "@leadline/contract/top-ups";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Wallet } from "lucide-react";
import { type ReactNode, useState } from "react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { formatMicros } from "../../components/format-money.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { may } from "../../components/may.ts";
import { useOwnRole } from "../../components/use-own-role.ts";
import { useTimes } from "../../components/use-times.ts";
import { billingSummaryQuery } from "../../data/billing-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { topUpsQuery } from "../../data/top-ups-query.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHead, TableHeadCell, TableRow } from "../../ui/table.tsx";
import { BalanceSettings } from "./balance-settings.tsx";
import { BillingDetailsDialog } from "./billing-details-dialog.tsx";
import { TopUpDialog } from "./top-up-dialog.tsx";
import { topUpStates } from "./top-up-states.ts";

/** The balance and past top-ups, for those who may pay. */
export function TopUps() {
  return may(useOwnRole(), listTopUps) ? <Section /> : null;
}

function Section() {
  const topUps = useInfiniteQuery(topUpsQuery);
  const summary = useQuery(billingSummaryQuery).data;
  const [open, setOpen] = useState<"top-up" | "details">();
  const close = () => setOpen(undefined);
  const provider = topUps.data?.pages[0]?.provider ?? null;
  const shown = topUps.data?.pages.flatMap((page) => page.topUps);
  const button = provider ? (
    <Button
      tone={summary?.mode === "metered" ? "plain" : "primary"}
      className="max-md:h-11"
      onClick={() => setOpen("top-up")}
    >
      <Wallet aria-hidden="true" /> Top up
    </Button>
  ) : null;
  return (
    <section aria-labelledby="top-ups" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div>
          <h2 id="top-ups" className="text-base font-semibold">
            Top-ups
          </h2>
          {summary ? (
            <p className="text-sm text-ink-soft">
              Your balance is <span className="tabular-nums">{formatMicros(summary.balanceMicros)}</span>.
              {summary.mode === "metered" ? " Calls don’t use it while your own carrier bills you." : null}
            </p>
          ) : null}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button tone="plain" className="max-md:h-11" onClick={() => setOpen("details")}>
            Billing details
          </Button>
          {shown && shown.length > 0 ? button : null}
        </div>
      </div>
      {summary?.mode === "prepaid" ? <BalanceSettings /> : null}
      {topUps.data && provider === null ? (
        <Notice tone="brass">This server takes no payments. Ask its administrator to set up a provider.</Notice>
      ) : null}
      {shown ? (
        <List topUps={shown} button={button} />
      ) : topUps.isError ? (
        <LoadFailed what="The top-ups" query={topUps} />
      ) : (
        <Skeleton className="h-24 w-full rounded-md" />
      )}
      {shown && topUps.isFetchNextPageError ? <Notice>{problemDetail(topUps.error)}</Notice> : null}
      {topUps.hasNextPage ? (
        <Button
          tone="plain"
          className="self-start max-md:h-11"
          busy={topUps.isFetchingNextPage}
          onClick={() => void topUps.fetchNextPage()}
        >
          Show older top-ups
        </Button>
      ) : null}
      {open === "top-up" && provider ? <TopUpDialog provider={provider} onClose={close} /> : null}
      {open === "details" ? <BillingDetailsDialog onClose={close} /> : null}
    </section>
  );
}

function List({ topUps, button }: { topUps: readonly TopUp[]; button: ReactNode }) {
  const times = useTimes();
  if (topUps.length === 0)
    return (
      <EmptyState
        picture={<Wallet className="size-6" aria-hidden="true" />}
        title="No top-ups yet"
        action={button}
        className="py-8"
      >
        Payments into your balance are listed here.
      </EmptyState>
    );
  return (
    <Table label="Every top-up">
      <TableHead>
        <TableRow>
          <TableHeadCell>Time</TableHeadCell>
          <TableHeadCell align="right">Amount</TableHeadCell>
          <TableHeadCell>Status</TableHeadCell>
          <TableHeadCell className="max-md:hidden">Who</TableHeadCell>
          <TableHeadCell className="max-md:hidden">Paid with</TableHeadCell>
        </TableRow>
      </TableHead>
      <TableBody>
        {topUps.map((topUp) => (
          <TableRow key={topUp.id}>
            <TableCell className="whitespace-nowrap">
              <Link
                to="/settings/billing/top-ups/$topUpId"
                params={{ topUpId: topUp.id }}
                className={textLinkLook}
                title={times.full(topUp.createdAt)}
              >
                {times.when(topUp.createdAt)}
              </Link>
            </TableCell>
            <TableCell align="right" className="tabular-nums">
              {formatMicros(topUp.amountMicros)}
            </TableCell>
            <TableCell>
              <TopUpBadge topUp={topUp} />
            </TableCell>
            <TableCell className="text-ink-soft max-md:hidden">
              {topUp.isAutomatic ? "Automatic" : topUp.userName}
            </TableCell>
            <TableCell className="text-ink-soft max-md:hidden">{topUp.method ?? "–"}</TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

export function TopUpBadge({ topUp }: { topUp: TopUp }) {
  if (topUp.chargedBackMicros > 0) return <Badge tone="fault">Charged back</Badge>;
  if (topUp.refundedMicros > 0) return <Badge>Refunded</Badge>;
  const { name, tone } = topUpStates[topUp.state];
  return <Badge tone={tone}>{name}</Badge>;
}
