import type { Call } from "@leadline/contract/calls";
import { deleteVoicemail, markVoicemail, playVoicemail } from "@leadline/contract/voicemail";
import { useMutation } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleDot, Trash2 } from "lucide-react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { SoundPlayer } from "../../../components/sound/sound-player.tsx";
import { request, requestFile } from "../../../data/api-client.ts";
import { callsKey } from "../../../data/calls-query.ts";
import { problemDetail } from "../../../data/problem-error.ts";
import { queryClient } from "../../../data/query-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { MenuItem } from "../../../ui/menu.tsx";
import { ItemNote } from "../../../ui/row-note.tsx";

const readAgain = () => queryClient.invalidateQueries({ queryKey: callsKey });

const mark = ({ callSid }: Call, heard: boolean) => request(markVoicemail, { params: { callSid }, body: { heard } });

interface MessageLineProps {
  call: Call;
  voicemail: NonNullable<Call["voicemail"]>;
  /** Whose it is, for who cannot see where it stands. */
  of: string;
}

/** The message of a call's caller: whoever plays it has heard it for everybody. */
export function MessageLine({ call, voicemail, of }: MessageLineProps) {
  const marking = useMutation({ mutationFn: () => mark(call, true), onSuccess: readAgain });
  const { callSid } = call;
  const isNew = voicemail.heardAt === null;
  return (
    <div className="flex basis-full items-start gap-2 pr-1 pb-2 pl-11 max-sm:pl-4">
      <div className="min-w-0 max-w-[440px] flex-1">
        <SoundPlayer
          label={`the message from ${of}`}
          durationMs={voicemail.durationMs}
          load={() => requestFile(playVoicemail, { params: { callSid } })}
          onPlay={() => isNew && marking.mutate()}
        />
        {marking.isError ? <ItemNote>Couldn’t mark this as heard. {problemDetail(marking.error)}</ItemNote> : null}
      </div>
      {/* Its place stays, so that nothing moves as it is played. */}
      <Badge tone="brass" aria-hidden={!isNew} className={clsx("mt-1", !isNew && "invisible")}>
        New
      </Badge>
    </div>
  );
}

export function MessageItems({ call, onDelete }: { call: Call; onDelete: () => void }) {
  const marking = useMutation({
    mutationFn: () => mark(call, false),
    onSuccess: readAgain,
    onError: (error) => toast.error("The message wasn’t changed.", { description: problemDetail(error) }),
  });
  return (
    <>
      {call.voicemail?.heardAt ? (
        <MenuItem onSelect={() => marking.mutate()}>
          <CircleDot aria-hidden="true" />
          Mark message as new
        </MenuItem>
      ) : null}
      <MenuItem onSelect={onDelete}>
        <Trash2 aria-hidden="true" />
        Delete message…
      </MenuItem>
    </>
  );
}

export function DeleteMessageDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Delete this message?"
      action="Delete message"
      cancel="Keep"
      run={() => request(deleteVoicemail, { params: { callSid: call.callSid } })}
      onDone={() => {
        toast.success("Message deleted.");
        void readAgain();
      }}
      onClose={onClose}
    >
      This deletes it for everyone and can’t be undone. The call stays in the log.
    </ConfirmDialog>
  );
}
