import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { subscribeLiveEvent } from "../data/live-events.ts";
import { meQuery } from "../data/me-query.ts";

/** Shows the person's own due callbacks; how is loaded with the first of them. */
export function useFollowUpReminders(subscribe = subscribeLiveEvent): void {
  const navigate = useNavigate();
  const me = useQuery(meQuery).data?.id;
  useEffect(
    () =>
      subscribe("follow-ups.due", (due) => {
        if (due.userId === me)
          void import("./show-follow-up-reminder.ts").then((part) => part.showFollowUpReminder(due, navigate));
      }),
    [me, navigate, subscribe],
  );
}
