import { useQuery } from "@tanstack/react-query";
import { Phone, PhoneOff } from "lucide-react";
import { doNotCallOfQuery } from "../data/do-not-call-query.ts";
import { MenuItem } from "../ui/menu.tsx";
import { useDoNotCall } from "./use-do-not-call.ts";

/** In a menu about a number (E.164): takes it off the do-not-call list where it is on it, and puts it there otherwise. */
export function DoNotCallItem({ phoneNumber }: { phoneNumber: string }) {
  const entry = useQuery(doNotCallOfQuery(phoneNumber)).data;
  const { adding, removing } = useDoNotCall();
  if (entry)
    return (
      <MenuItem onSelect={() => removing.mutate(phoneNumber)}>
        <Phone aria-hidden="true" /> Allow calls again
      </MenuItem>
    );
  return (
    <MenuItem disabled={entry === undefined} onSelect={() => adding.mutate(phoneNumber)}>
      <PhoneOff aria-hidden="true" /> Do not call
    </MenuItem>
  );
}
