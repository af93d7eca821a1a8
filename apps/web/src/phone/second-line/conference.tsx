import type { Call } from "@leadline/contract/calls";
import { teammateCarrier } from "@leadline/contract/transfers";
import { clsx } from "clsx";
import { Mic, MicOff, Pause, PhoneOff, Play } from "lucide-react";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { usePhone } from "../phone-context.ts";
import { ActionButton } from "./action-button.tsx";
import { FoldButton } from "./fold-button.tsx";
import { LinePanel } from "./line-panel.tsx";
import { useFold } from "./use-fold.ts";
import { useWho } from "./use-who.ts";

interface ConferenceProps {
  calls: readonly Call[];
  folds: boolean;
  className?: string;
}

/** All participants of the conference, each with their controls, and the ways to leave it. */
export function Conference({ calls, folds, className }: ConferenceProps) {
  const phone = usePhone();
  const nameOf = useWho();
  const { canFold, open, toggle } = useFold(folds);
  return (
    <LinePanel label="Conference" className={clsx(open ? "p-3" : "p-1", className)}>
      {canFold ? (
        <FoldButton open={open} onToggle={toggle} label={open ? "Hide participants" : "Show participants"}>
          <span className="min-w-0 flex-1 truncate text-table font-semibold tabular-nums">
            {open ? "Participants" : calls.map(nameOf).join(", ")}
          </span>
        </FoldButton>
      ) : null}
      {open ? <Participants calls={calls} leave={phone.completeTransfer} /> : null}
    </LinePanel>
  );
}

/** Calls between teammates are free. */
const isCharged = ({ carrier }: Call): boolean => carrier !== teammateCarrier;
const charged = [
  "neither call is charged",
  "the call with a number is charged until it ends",
  "both calls are charged until they hang up",
];

function Participants({ calls, leave }: { calls: readonly Call[]; leave: () => Promise<void> }) {
  return (
    <>
      <ul className="flex flex-col gap-1">
        {calls.map((call) => (
          <Participant key={call.callSid} call={call} />
        ))}
      </ul>
      <ActionButton tone="plain" className="@lg:self-start" action={leave}>
        Leave the conference
      </ActionButton>
      <p className="text-xs text-pretty text-ink-soft">
        If you leave, the others keep talking: {charged[calls.filter(isCharged).length]}. End for all hangs up both
        calls.
      </p>
    </>
  );
}

function Participant({ call }: { call: Call }) {
  const phone = usePhone();
  const who = useWho()(call);
  const { callSid, held, heldByThem, silenced, canHold } = call;
  return (
    <li className="flex items-center gap-1">
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
        <span className="truncate text-sm font-semibold tabular-nums">{who}</span>
        {held ? <Badge>On hold</Badge> : null}
        {heldByThem ? <Badge>Put you on hold</Badge> : null}
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
