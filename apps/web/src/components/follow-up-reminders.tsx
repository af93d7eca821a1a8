import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { subscribeLiveEvent } from "../data/live-events.ts";
import { meQuery } from "../data/me-query.ts";

/**
 * Shows the user's own due callbacks as toasts and system notifications; renders nothing itself. It listens from the
 * first moment: the server doesn't repeat a reminder for somebody who has a page open.
 */
export function FollowUpReminders({ subscribe = subscribeLiveEvent }: { subscribe?: typeof subscribeLiveEvent }) {
  const navigate = useNavigate();
  const me = useQuery(meQuery).data?.id;
  useEffect(
    () =>
      subscribe("follow-ups.due", (due) => {
        if (due.userId !== me) return;
        import("./show-follow-up-reminder.ts").then((part) => part.showFollowUpReminder(due, navigate)).catch(() => {});
      }),
    [me, navigate, subscribe],
  );
  return null;
}
