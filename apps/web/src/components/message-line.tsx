import type { Call } from "@leadline/contract/calls";
import { markVoicemail, playVoicemail } from "@leadline/contract/voicemail";
import { useMutation } from "@tanstack/react-query";
import { clsx } from "clsx";
import { request, requestFile } from "../data/api-client.ts";
import { callsKey } from "../data/calls-query.ts";
import { leadTimelinesKey } from "../data/lead-timeline-query.ts";
import { problemDetail } from "../data/problem-error.ts";
import { queryClient } from "../data/query-client.ts";
import { Badge } from "../ui/badge.tsx";
import { ItemNote } from "../ui/row-note.tsx";
import { useReadsOnly } from "./use-own-role.ts";
import { SoundPlayer } from "./sound/sound-player.tsx";

interface MessageLineProps {
  callSid: string;
  voicemail: NonNullable<Call["voicemail"]>;
  /** The message's owner, for people who can't see where it is. */
  of: string;
  className?: string;
}

/** The message of a call's caller. Playing it marks it as heard for everyone. */
export function MessageLine({ callSid, voicemail, of, className }: MessageLineProps) {
  const marking = useMutation({
    mutationFn: () => request(markVoicemail, { params: { callSid }, body: { heard: true } }),
    onSuccess: readMessagesAgain,
  });
  const readsOnly = useReadsOnly();
  const isNew = voicemail.heardAt === null;
  return (
    <div className={clsx("flex items-start gap-2", className)}>
      <div className="min-w-0 max-w-[440px] flex-1">
        <SoundPlayer
          label={`the message from ${of}`}
          durationMs={voicemail.durationMs}
          load={() => requestFile(playVoicemail, { params: { callSid } })}
          onPlay={() => isNew && !readsOnly && marking.mutate()}
        />
        {marking.isError ? <ItemNote>Couldn’t mark this as heard. {problemDetail(marking.error)}</ItemNote> : null}
      </div>
      {/* Keeps its space, so that nothing moves when it is played. */}
      <Badge tone="brass" aria-hidden={!isNew} className={clsx("mt-1", !isNew && "invisible")}>
        New
      </Badge>
    </div>
  );
}

export async function readMessagesAgain(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: callsKey }),
    queryClient.invalidateQueries({ queryKey: leadTimelinesKey }),
  ]);
}
