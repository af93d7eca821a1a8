import type { Call } from "@leadline/contract/calls";
import { clsx } from "clsx";
import { Mic, MicOff, Pause, PhoneOff, Play } from "lucide-react";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { usePhone } from "../phone-provider.tsx";
import { DeedButton } from "./deed-button.tsx";
import { useWho } from "./use-who.ts";

/** Everybody of the conference, each with what can be done to them, and the way out of it. */
export function Conference({ calls, className }: { calls: readonly Call[]; className?: string }) {
  const phone = usePhone();
  return (
    <section
      aria-label="Conference"
      className={clsx("@container flex flex-col gap-3 rounded-md border border-brass/40 bg-brass-wash p-3", className)}
    >
      <ul className="flex flex-col gap-1">
        {calls.map((call) => (
          <Participant key={call.callSid} call={call} />
        ))}
      </ul>
      <DeedButton tone="plain" className="@lg:self-start" deed={phone.completeTransfer}>
        Leave the conference
      </DeedButton>
      <p className="text-xs text-pretty text-ink-soft">
        Leave, and they go on talking without you: both calls are charged until they hang up. End for all hangs up on
        both.
      </p>
    </section>
  );
}

function Participant({ call }: { call: Call }) {
  const phone = usePhone();
  const who = useWho()(call);
  const { callSid, held, silenced, canHold } = call;
  return (
    <li className="flex items-center gap-1">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
        <span className="truncate text-sm font-semibold tabular-nums">{who}</span>
        {held ? <Badge>On hold</Badge> : null}
        {silenced ? <Badge>Muted</Badge> : null}
      </div>
      <IconButton
        label={silenced ? `Unmute ${who}` : `Mute ${who}`}
        aria-pressed={silenced}
        size="small"
        onClick={() => void phone.change(callSid, { silenced: !silenced })}
      >
        {silenced ? <MicOff /> : <Mic />}
      </IconButton>
      {canHold ? (
        <IconButton
          label={held ? `Resume ${who}` : `Hold ${who}`}
          aria-pressed={held}
          size="small"
          onClick={() => void phone.change(callSid, { held: !held })}
        >
          {held ? <Play /> : <Pause />}
        </IconButton>
      ) : null}
      <IconButton label={`Hang up on ${who}`} size="small" onClick={() => void phone.drop(callSid)}>
        <PhoneOff className="text-end" />
      </IconButton>
    </li>
  );
}
