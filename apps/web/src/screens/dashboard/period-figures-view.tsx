import type { Statistics } from "@leadline/contract/statistics";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { clsx } from "clsx";
import { isOtherClock } from "../../components/format-time.ts";
import { LoadFailed } from "../../components/load-failed.tsx";
import { useTimeZone, useToday } from "../../components/use-day.ts";
import { useNow } from "../../components/use-now.ts";
import { statisticsQuery } from "../../data/statistics-query.ts";
import { CallBackList } from "./call-back-list.tsx";
import { CallsByHour } from "./calls-by-hour.tsx";
import { CostByDay } from "./cost-by-day.tsx";
import { DashboardSkeleton } from "./dashboard-skeleton.tsx";
import { Figures } from "./figures.tsx";
import { MemberFigures } from "./member-figures.tsx";
import { OutcomesBar } from "./outcomes-bar.tsx";
import { type DashboardSearch, daysOf, type Period, periods } from "./period.ts";
import { PeriodPickers } from "./period-pickers.tsx";

/** Everything that depends on the chosen period and member. */
export function PeriodFiguresView() {
  const search = useSearch({ from: "/signed-in/dashboard" });
  const navigate = useNavigate();
  const today = useToday();
  const timeZone = useTimeZone();
  const now = useNow();
  const period = periods.find(({ name }) => name === search.period) ?? periods[0];
  const statistics = useQuery(
    statisticsQuery({ ...daysOf(period, today), timeZone, ...(search.member && { userId: search.member }) }),
  );
  const choose = (change: { [K in keyof DashboardSearch]: DashboardSearch[K] | undefined }) => {
    const { period: chosen, member } = { ...search, ...change };
    void navigate({
      to: "/dashboard",
      search: { ...(chosen && { period: chosen }), ...(member && { member }) },
      replace: true,
      resetScroll: false,
    });
  };
  const { data } = statistics;
  return (
    <>
      <PeriodPickers
        period={period}
        member={search.member ?? null}
        members={data?.members ?? []}
        otherTimeZone={isOtherClock(timeZone, now) ? timeZone : null}
        note={data ? compared(period, data) : null}
        onPeriod={(name) => choose({ period: name === periods[0].name ? undefined : name })}
        onMember={(userId) => choose({ member: userId ?? undefined })}
      />
      {data ? (
        <div className={clsx("flex flex-col gap-6 transition-opacity", statistics.isPlaceholderData && "opacity-60")}>
          <Figures statistics={data} />
          <div className="grid gap-6 lg:grid-cols-3">
            <CallsByHour statistics={data} period={period} className="min-w-0 lg:col-span-2" />
            <CallBackList className="min-w-0" />
          </div>
          <div className="grid gap-6 lg:grid-cols-2">
            <OutcomesBar figures={data.period} />
            <CostByDay statistics={data} period={period} />
          </div>
          {data.members.length > 1 ? (
            <MemberFigures
              members={data.members}
              chosen={search.member ?? null}
              onChoose={(userId) => choose({ member: userId ?? undefined })}
            />
          ) : null}
        </div>
      ) : statistics.isError ? (
        <LoadFailed what="The figures" query={statistics} />
      ) : (
        <DashboardSkeleton />
      )}
    </>
  );
}

/** An unfinished day is compared with the same hours of the day before, and the sentence says so. */
function compared(period: Period, { before, timeZone: zone }: Statistics): string {
  const end = new Intl.DateTimeFormat(undefined, { timeZone: zone, timeStyle: "short" });
  const until = end.format(new Date(before.endsAt));
  return period.name === "today"
    ? `Compared with yesterday until ${until}`
    : `Compared with ${period.before}, until the same time of day`;
}
