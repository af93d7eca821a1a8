import type { DueFollowUps } from "@leadline/contract/follow-ups";
import type { useNavigate } from "@tanstack/react-router";
import { toast } from "sonner";
import { followUpsKey } from "../data/follow-ups-query.ts";
import { queryClient } from "../data/query-client.ts";
import { showNotice } from "../data/show-notice.ts";
import { formatTimeOfDay } from "./format-time.ts";

/** Long enough to be seen after a call; it waits while the tab is hidden. */
const toastMs = 60_000;

/** As a toast and, in the background, as a system notification. */
export function showFollowUpReminder(due: DueFollowUps, navigate: ReturnType<typeof useNavigate>): void {
  void queryClient.invalidateQueries({ queryKey: followUpsKey });
  const { title, body } = reminderWords(due);
  const { leadId, phoneNumber } = due.first;
  const onOpen = () =>
    void (due.count === 1 && leadId !== null
      ? navigate({ to: "/leads/$leadId", params: { leadId } })
      : navigate({ to: "/calls", search: { tab: "call-back" } }));
  // Several tabs show one notification.
  const tag = `follow-up ${leadId ?? phoneNumber} ${due.count}`;
  showNotice({ about: "follow-up-due", title, body, tag, onOpen });
  toast(title, { id: tag, description: body, duration: toastMs, action: { label: "Open", onClick: onOpen } });
}

function reminderWords({ count, first }: DueFollowUps): { title: string; body: string } {
  const callee = first.name || (first.phoneNumber ?? "a lead");
  const time = first.followUpTime === null ? "" : formatTimeOfDay(first.followUpTime);
  if (count > 1) return { title: `${count} callbacks are due`, body: [callee, time].filter(Boolean).join(", ") };
  return { title: `Call back ${callee}`, body: time === "" ? "Due today" : `Due at ${time}` };
}
