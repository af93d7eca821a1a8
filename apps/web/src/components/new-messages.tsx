import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { newMessagesQuery } from "../data/voicemail-query.ts";
import { Badge } from "../ui/badge.tsx";
import { usePageOrganisation } from "./use-page-organisation.ts";

/** Voicemail messages that no one in the organisation has listened to; 0 until known. */
function useNewMessages(): number {
  const organisation = usePageOrganisation();
  return useQuery({ ...newMessagesQuery, enabled: organisation !== null }).data?.count ?? 0;
}

/** More than two digits would be unreadable. */
const shown = (count: number): string => (count > 99 ? "99+" : String(count));

export function NewMessages({ className }: { className?: string }) {
  const count = useNewMessages();
  if (count === 0) return null;
  return (
    <Badge tone="brass" className={clsx("h-5 px-1.5 tabular-nums", className)}>
      {shown(count)}
      <span className="sr-only"> new {count === 1 ? "message" : "messages"}</span>
    </Badge>
  );
}

/** If there is no room for a number. */
export function NewMessagesDot({ className }: { className?: string }) {
  return useNewMessages() === 0 ? null : (
    <span aria-hidden="true" className={clsx("absolute size-2 rounded-full bg-brass", className)} />
  );
}
