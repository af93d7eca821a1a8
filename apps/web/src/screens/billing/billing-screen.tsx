import { exportStatement, type Statement } from "@leadline/contract/billing";
import { listCostDifferences } from "@leadline/contract/carrier-costs";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { Download } from "lucide-react";
import { useState } from "react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { may } from "../../components/may.ts";
import { NoOrganisation } from "../../components/no-organisation.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useOwnRole } from "../../components/use-own-role.ts";
import { usePageOrganisation } from "../../components/use-page-organisation.ts";
import { requestFile } from "../../data/api-client.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { saveFile } from "../../data/save-file.ts";
import { statementQuery } from "../../data/statement-query.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { lastMonths, monthName } from "./months.ts";
import { BillingMode } from "./billing-mode.tsx";
import { StatementCalls } from "./statement-calls.tsx";
import { StatementEntries } from "./statement-entries.tsx";
import { StatementFigures } from "./statement-figures.tsx";
import { StatementNumbers } from "./statement-numbers.tsx";
import { TopUps } from "./top-ups.tsx";

export function BillingScreen() {
  return usePageOrganisation() ? <Billing /> : <NoOrganisation title="Billing" />;
}

function Billing() {
  const [month, setMonth] = useState<string>();
  const statement = useQuery(statementQuery(month));
  return (
    <div className="mx-auto flex max-w-[1080px] flex-col gap-5">
      <PageHeader
        title="Billing"
        lead="What calls and numbers cost."
        action={statement.data ? <Choices statement={statement.data} onMonth={setMonth} /> : null}
      />
      {statement.data ? (
        <Content statement={statement.data} />
      ) : statement.isError ? (
        <LoadFailed what="The statement" query={statement} />
      ) : (
        <div role="status" aria-label="Loading the statement" className="flex flex-col gap-5">
          <Skeleton className="h-24 w-full rounded-md" />
          <Skeleton className="h-48 w-full rounded-md" />
        </div>
      )}
    </div>
  );
}

function Choices({ statement, onMonth }: { statement: Statement; onMonth: (month: string) => void }) {
  const { month } = statement;
  const [newest] = useState(month);
  const exporting = useMutation({
    mutationFn: () => requestFile(exportStatement, { query: { month } }),
    onSuccess: (content) => saveFile(content, `calls-${month}.csv`),
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <div className="flex gap-2">
        <Select
          aria-label="Month"
          className="w-44"
          options={lastMonths(newest, 12).map((value) => ({ value, label: monthName(value) }))}
          value={month}
          onValueChange={onMonth}
        />
        <Button tone="plain" className="max-md:h-11" busy={exporting.isPending} onClick={() => exporting.mutate()}>
          <Download aria-hidden="true" /> Download calls
        </Button>
      </div>
      {exporting.isError ? <Notice className="max-w-80">{problemDetail(exporting.error)}</Notice> : null}
    </div>
  );
}

function Content({ statement }: { statement: Statement }) {
  return (
    <>
      <StatementFigures statement={statement} />
      <BillingMode />
      <TopUps />
      <StatementCalls statement={statement} />
      {may(useOwnRole(), listCostDifferences) ? (
        <Link to="/settings/billing/carrier-costs" className={clsx(textLinkLook, "self-start text-sm")}>
          Compare with what your carriers bill
        </Link>
      ) : null}
      <StatementEntries key={statement.month} month={statement.month} />
      <StatementNumbers numbers={statement.numbers} />
      <p className="max-w-[72ch] text-table text-pretty text-ink-soft">
        Each call is charged when it ends, at its carrier’s rate when the call started. If your own carrier was
        connected by API key, its records then correct the charge. Sandbox prices are made up. A prepaid organisation
        pays for the numbers it bought here on the same day of each month. In a metered organisation, numbers bought
        from your own carrier’s account count on those days too. The carrier bills them, and may do so on another day:
        Leadline doesn’t read its billing days.
      </p>
    </>
  );
}
