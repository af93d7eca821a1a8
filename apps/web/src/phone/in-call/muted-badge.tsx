import { MicOff } from "lucide-react";
import { Badge } from "../../ui/badge.tsx";
import { usePhoneState } from "../phone-context.ts";

/** Next to the timer, so that no one talks into a muted microphone. */
export function MutedBadge() {
  return usePhoneState().muted ? (
    <Badge tone="brass" className="h-5">
      <MicOff aria-hidden="true" />
      Muted
    </Badge>
  ) : null;
}
