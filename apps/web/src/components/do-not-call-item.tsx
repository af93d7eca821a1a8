import { useQuery } from "@tanstack/react-query";
import { Phone, PhoneOff } from "lucide-react";
import { doNotCallOfQuery } from "../data/do-not-call-query.ts";
import { MenuItem } from "../ui/menu.tsx";
import type { useDoNotCall } from "./use-do-not-call.ts";

interface DoNotCallItemProps {
  phoneNumber: string;
  /** Owned by the menu's container, as the menu closes before the response arrives. */
  doNotCall: Pick<ReturnType<typeof useDoNotCall>, "adding" | "removing">;
}

/** In a menu about a number (E.164): takes it off the do-not-call list if it is listed, and adds it otherwise. */
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
