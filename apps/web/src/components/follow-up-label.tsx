import type { FollowUpFields } from "@leadline/contract/follow-up-fields";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { meQuery } from "../data/me-query.ts";
import { dueLabel } from "./due-label.ts";
import { formatTimeOfDay } from "./format-time.ts";
import { useClock } from "./use-day.ts";

/** When to call back and who does: Today, 2:30 PM · You. */
export function FollowUpLabel({ followUp, className }: { followUp: FollowUpFields; className?: string }) {
  const { today, time: now } = useClock();
  const me = useQuery(meQuery).data?.id;
  const { followUpOn: day, followUpTime: time, followUpOwner: owner } = followUp;
  if (day === null) return null;
  const isLate = day < today || (day === today && time !== null && time < now);
  const when = time === null ? dueLabel(day, today) : `${dueLabel(day, today)}, ${formatTimeOfDay(time)}`;
  return (
    <span className={className}>
      <time
        dateTime={time === null ? day : `${day}T${time}`}
        className={clsx(isLate ? "font-medium text-fault" : "text-ink-soft")}
      >
        {when}
      </time>
      {owner ? <span className="text-ink-soft"> · {owner.userId === me ? "You" : owner.name}</span> : null}
    </span>
  );
}
