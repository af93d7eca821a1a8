import { useQuery } from "@tanstack/react-query";
import { Phone, PhoneOff } from "lucide-react";
import { doNotCallOfQuery } from "../data/do-not-call-query.ts";
import { MenuItem } from "../ui/menu.tsx";
import type { useDoNotCall } from "./use-do-not-call.ts";

interface DoNotCallItemProps {
  phoneNumber: string;
  /** Of whoever holds the menu, which closes before the answer comes. */
  doNotCall: Pick<ReturnType<typeof useDoNotCall>, "adding" | "removing">;
}

/** In a menu about a number (E.164): takes it off the do-not-call list where it is on it, and puts it there otherwise. */
export function DoNotCallItem({ phoneNumber, doNotCall: { adding, removing } }: DoNotCallItemProps) {
  const entry = useQuery(doNotCallOfQuery(phoneNumber)).data;
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
