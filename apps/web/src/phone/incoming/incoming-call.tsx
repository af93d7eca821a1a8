import type { Call } from "@leadline/contract/calls";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Phone, PhoneIncoming, PhoneOff, ShieldCheck, ShieldQuestionMark, Voicemail } from "lucide-react";
import { clsx } from "clsx";
import { useEffect, useSyncExternalStore } from "react";
import { forwardedLabel, verifiedLabel } from "../../components/caller-label.ts";
import { leadOfCall } from "../../components/lead-names.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { voicemailSettingsQuery } from "../../data/voicemail-query.ts";
import { showNotice } from "../../data/show-notice.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { isActive } from "../call/call-phase.ts";
import { declineCall, sendCallToVoicemail } from "../../data/call-requests.ts";
import { isBeingSent } from "../call/create-incoming.ts";
import { holdTitle } from "../in-call/use-call-guards.ts";
import { useFormattedNumber } from "../numbers/use-formatted-number.ts";
import { useOtherEnd } from "../numbers/use-other-end.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";

/** An inbound call, on every page. Nothing rings during a call. The place leaves notes (right) and toasts uncovered. */
export function IncomingCall() {
  const { incoming } = usePhone();
  const [call, ...others] = useSyncExternalStore(incoming.subscribe, incoming.list);
  const { phase } = usePhoneState();
  if (!call || isActive(phase)) return null;
  return <Ringing key={call.callSid} call={call} others={others.length} />;
}

function Ringing({ call, others }: { call: Call; others: number }) {
  const { incoming, sounds, answer } = usePhone();
  const { startFailure, answerFailedOf } = usePhoneState();
  const number = useOtherEnd(call);
  const called = useFormattedNumber(call.calledNumber ?? "");
  const forwarder = useFormattedNumber(call.forwardedBy ?? "");
  const verified = verifiedLabel(call);
  const forwarded = forwardedLabel(call, () => forwarder);
  const name = leadOfCall(call.leads);
  const who = name ?? number;
  const sentBy = isBeingSent(call) ? call.userName : null;
  const isTeammate = call.ringsFor !== null;
  // A failure doesn't matter: the call has stopped ringing then.
  const declining = useMutation({ mutationFn: () => declineCall(call.callSid), retry: false });

  // Once voicemail has it, an event tells every tab that it no longer rings.
  const sending = useMutation({ mutationFn: () => sendCallToVoicemail(call.callSid), retry: false });
  const voicemail = useQuery(voicemailSettingsQuery).data;

  useEffect(() => {
    sounds.ringing.start();
    return sounds.ringing.stop;
  }, [sounds]);
  useEffect(() => holdTitle(`☎ ${who} is calling`), [who]);
  useEffect(() => {
    const title = `${who} is calling`;
    return showNotice({ about: "call-incoming", title, body: "Answer in Leadline.", tag: call.callSid });
    // oxlint-disable-next-line react/exhaustive-deps -- once a call, whatever its number looks like meanwhile
  }, [call.callSid]);

  return (
    <section
      aria-label="Incoming call"
      className="fixed inset-x-2 top-2 z-50 flex animate-rise flex-col gap-4 rounded-md border border-brass bg-panel p-4 shadow-lift md:top-auto md:right-auto md:bottom-[calc(1rem+var(--foot-height,0px))] md:left-4 md:w-[340px]"
    >
      <div className="flex items-start gap-3" role="alert">
        <PhoneIncoming className="mt-1 size-5 shrink-0 text-brass" aria-hidden="true" />
        <div className="min-w-0">
          <p className="text-table text-ink-soft">
            {sentBy !== null
              ? `Transferred to you by ${sentBy}`
              : isTeammate
                ? "A teammate is calling you"
                : "Incoming call"}
            {others > 0 ? `, and ${others} more waiting` : ""}
          </p>
          <p className={clsx("text-base font-semibold tabular-nums", isTeammate ? "text-pretty" : "truncate")}>{who}</p>
          {name === null ? null : <p className="text-table text-ink-soft tabular-nums">{number}</p>}
          {called === "" || isTeammate ? null : (
            <p className="truncate text-table text-ink-soft tabular-nums">to {called}</p>
          )}
          {forwarded === null ? null : <p className="truncate text-table text-ink-soft tabular-nums">{forwarded}</p>}
          {verified === null ? null : (
            <p className="mt-1 flex items-center gap-1.5 text-table">
              {call.callerVerified ? (
                <ShieldCheck className="size-4 shrink-0 text-call" aria-hidden="true" />
              ) : (
                <ShieldQuestionMark className="size-4 shrink-0 text-brass" aria-hidden="true" />
              )}
              {verified}
            </p>
          )}
        </div>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Button tone="call" size="large" onClick={() => void answer(call)}>
          <Phone aria-hidden="true" /> Answer
        </Button>
        <Button
          tone="plain"
          size="large"
          onClick={() => {
            incoming.decline(call.callSid);
            declining.mutate();
          }}
        >
          <PhoneOff aria-hidden="true" /> Decline
        </Button>
        {voicemail?.enabled && sentBy === null && !isTeammate ? (
          <Button tone="quiet" className="col-span-2" busy={sending.isPending} onClick={() => sending.mutate()}>
            <Voicemail aria-hidden="true" /> Send to voicemail
          </Button>
        ) : null}
      </div>
      {startFailure !== null && answerFailedOf === call.callSid ? <Notice>{startFailure}</Notice> : null}
      {sending.isError ? <Notice>{problemDetail(sending.error)}</Notice> : null}
    </section>
  );
}
