import { isLive } from "@leadline/contract/call-state";
import { hangUpCall, type Call } from "@leadline/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { PhoneOff } from "lucide-react";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { formatPhoneNumber } from "../../../components/format-phone-number.ts";
import { otherEnd } from "../../../components/other-end.ts";
import { request } from "../../../data/api-client.ts";
import { callsKey } from "../../../data/calls-query.ts";
import { meQuery } from "../../../data/me-query.ts";
import { queryClient } from "../../../data/query-client.ts";
import { MenuItem } from "../../../ui/menu.tsx";

/** In the menu of a call that the current user has left to the two far ends. */
export function EndLeftCallItem({ call, onSelect }: { call: Call; onSelect: () => void }) {
  const me = useQuery(meQuery).data;
  const hasLeft = isLive(call.status) && call.line === null && call.userId !== null && call.userId === me?.id;
  if (!hasLeft) return null;
  return (
    <MenuItem onSelect={onSelect}>
      <PhoneOff aria-hidden="true" />
      End their call…
    </MenuItem>
  );
}

export function EndLeftCallDialog({ call, who, onClose }: { call: Call; who: string; onClose: () => void }) {
  const other = call.joinedWith && otherEnd(call.joinedWith, formatPhoneNumber);
  return (
    <ConfirmDialog
      title={other === null ? `End the call of ${who}?` : `End the call between ${who} and ${other}?`}
      action="End call"
      cancel="Let them talk"
      run={() => request(hangUpCall, { params: { callSid: call.callSid } })}
      onDone={() => void queryClient.invalidateQueries({ queryKey: callsKey })}
      onClose={onClose}
    >
      You’ve left, and they’re still talking. The call is charged until it ends.
    </ConfirmDialog>
  );
}
