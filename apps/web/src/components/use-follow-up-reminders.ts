import type { DueFollowUps } from "@leadline/contract/follow-ups";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { followUpsKey } from "../data/follow-ups-query.ts";
import { subscribeLiveEvent } from "../data/live-events.ts";
import { meQuery } from "../data/me-query.ts";
import { queryClient } from "../data/query-client.ts";
import { showNotice } from "../data/show-notice.ts";
import { formatTimeOfDay } from "./format-time.ts";

/** Long enough to be seen after a call; it waits while the tab is hidden. */
const toastMs = 60_000;

/** Shows the person's own due callbacks, as a toast and, in the background, as a system notification. */
export function useFollowUpReminders(subscribe = subscribeLiveEvent): void {
  const navigate = useNavigate();
  const me = useQuery(meQuery).data?.id;
  useEffect(
    () =>
      subscribe("follow-ups.due", (due) => {
        if (due.userId !== me) return;
        void queryClient.invalidateQueries({ queryKey: followUpsKey });
        const { title, body } = reminderWords(due);
        const { leadId } = due.first;
        const onOpen = () =>
          void (due.count === 1 && leadId !== null
            ? navigate({ to: "/leads/$leadId", params: { leadId } })
            : navigate({ to: "/calls", search: { tab: "call-back" } }));
        // Several tabs show one notification.
        const tag = `follow-up ${leadId ?? due.first.phoneNumber} ${due.count}`;
        showNotice({ about: "follow-up-due", title, body, tag, onOpen });
        void import("../ui/late-toast.ts").then(({ toast }) =>
          toast(title, { id: tag, description: body, duration: toastMs, action: { label: "Open", onClick: onOpen } }),
        );
      }),
    [me, navigate, subscribe],
  );
}

function reminderWords({ count, first }: DueFollowUps): { title: string; body: string } {
  const callee = first.name || (first.phoneNumber ?? "a lead");
  const time = first.followUpTime === null ? "" : formatTimeOfDay(first.followUpTime);
  if (count > 1) return { title: `${count} callbacks are due`, body: [callee, time].filter(Boolean).join(", ") };
  return { title: `Call back ${callee}`, body: time === "" ? "Due today" : `Due at ${time}` };
}
