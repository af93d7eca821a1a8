import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { subscribeLiveEvent } from "../data/live-events.ts";
import { meQuery } from "../data/me-query.ts";
import { showFollowUpReminder } from "./show-follow-up-reminder.ts";

/** Shows the user's own due callbacks as toasts and system notifications; renders nothing itself. */
export function FollowUpReminders({ subscribe = subscribeLiveEvent }: { subscribe?: typeof subscribeLiveEvent }) {
  const navigate = useNavigate();
  const me = useQuery(meQuery).data?.id;
  useEffect(
    () =>
      subscribe("follow-ups.due", (due) => {
        if (due.userId === me) showFollowUpReminder(due, navigate);
      }),
    [me, navigate, subscribe],
  );
  return null;
}
