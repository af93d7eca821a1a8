import type { FollowUpFields } from "@leadline/contract/follow-up-fields";
import { useQuery } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { meQuery } from "../../data/me-query.ts";
import { useNoticePermission } from "../../data/use-notice-permission.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { formatTimeOfDay } from "../format-time.ts";
import { OwnerSelect } from "../owner-select.tsx";
import { useClock } from "../use-day.ts";
import { useTimeInput } from "../use-time-input.ts";
import { useTimes } from "../use-times.ts";

/** Suggested for a follow-up without a time. */
const defaultTime = "09:00";

type Details = Pick<FollowUpFields, "followUpOn" | "followUpTime" | "followUpOwner">;

interface FollowUpDetailsProps {
  followUp: Details;
  onChange: (change: Partial<Details>) => void;
}

/** The time of a callback, and who calls back and gets the reminder. */
export function FollowUpDetails({ followUp, onChange }: FollowUpDetailsProps) {
  const { followUpOn, followUpTime, followUpOwner } = followUp;
  const me = useQuery(meQuery).data?.id;
  const { permission, ask } = useNoticePermission();
  const isMine = followUpOwner !== null && followUpOwner.userId === me;
  const at = formatTimeOfDay(followUpTime ?? defaultTime);
  const { today, time: now } = useClock();
  const isOver = followUpOn !== null && `${followUpOn} ${followUpTime ?? defaultTime}` <= `${today} ${now}`;
  return (
    <>
      <TimeField
        time={followUpTime}
        onTime={(time) => onChange({ followUpTime: time })}
        warning={
          isOver && followUpOwner !== null ? `${at} has passed. Choose a later time to get a reminder.` : undefined
        }
      />
      <Field
        label="Who calls back"
        help={
          followUpOwner === null
            ? "Without a person, there’s no reminder."
            : isOver
              ? undefined
              : `Reminder at ${at}, by email if Leadline is closed.`
        }
      >
        {(control) => (
          <OwnerSelect
            {...control}
            owner={followUpOwner}
            onOwner={(owner) =>
              onChange({ followUpOwner: owner?.userId ? { userId: owner.userId, name: owner.name } : null })
            }
          />
        )}
      </Field>
      {isMine && permission === "default" ? (
        <Button tone="plain" size="small" className="self-start" onClick={ask}>
          <Bell aria-hidden="true" /> Turn on notifications
        </Button>
      ) : null}
    </>
  );
}

interface TimeFieldProps {
  time: string | null;
  onTime: (time: string | null) => void;
  warning: string | undefined;
}

function TimeField({ time, onTime, warning }: TimeFieldProps) {
  const { problem, input } = useTimeInput({ time, onTime });
  const { otherClock } = useTimes();
  return (
    <Field
      label="Call back at"
      optional
      help={warning ?? (otherClock ? `In ${otherClock} time` : undefined)}
      message={problem}
    >
      {(control) => <Input {...control} {...input} />}
    </Field>
  );
}
