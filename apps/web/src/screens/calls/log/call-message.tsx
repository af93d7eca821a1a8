import type { Call } from "@leadline/contract/calls";
import { deleteVoicemail, markVoicemail } from "@leadline/contract/voicemail";
import { useMutation } from "@tanstack/react-query";
import { CircleDot, Trash2 } from "lucide-react";
import { toast } from "sonner";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { readMessagesAgain } from "../../../components/message-line.tsx";
import { request } from "../../../data/api-client.ts";
import { problemDetail } from "../../../data/problem-error.ts";
import { MenuItem } from "../../../ui/menu.tsx";

export function MessageItems({ call, onDelete }: { call: Call; onDelete: () => void }) {
  const marking = useMutation({
    mutationFn: () => request(markVoicemail, { params: { callSid: call.callSid }, body: { heard: false } }),
    onSuccess: readMessagesAgain,
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
        void readMessagesAgain();
      }}
      onClose={onClose}
    >
      This deletes it for everyone and can’t be undone. The call stays in the log.
    </ConfirmDialog>
  );
}
