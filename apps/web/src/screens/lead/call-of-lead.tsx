import type { Call } from "@leadline/contract/calls";
import { useQuery } from "@tanstack/react-query";
import { Disposition } from "../../components/call-notes/disposition.tsx";
import { callQuery } from "../../data/calls-query.ts";
import { usePhone, usePhoneState } from "../../phone/phone-context.ts";
import { Button } from "../../ui/button.tsx";

/** Note and outcome of the phone's call with this lead, until they are dismissed. */
export function CallOfLead({ leadId }: { leadId: string }) {
  const { phase, call, other, leftOther, partner } = usePhoneState();
  if (phase === "idle") return null;
  const calls = [call, other, leftOther, partner].filter((one) => one !== null);
  const withLead = calls.find(({ leads: [lead, another] }) => lead?.id === leadId && !another);
  return withLead ? <ThisCall key={withLead.callSid} call={withLead} isOver={phase === "ended"} /> : null;
}

function ThisCall({ call, isOver }: { call: Call; isOver: boolean }) {
  const phone = usePhone();
  const stored = useQuery(callQuery(call.callSid)).data ?? call;
  return (
    <section
      aria-labelledby="call-of-lead"
      data-keeps-keys
      className="flex flex-col gap-4 rounded-md border border-line bg-panel p-5"
    >
      <div className="flex items-center justify-between gap-4">
        <h2 id="call-of-lead" className="font-semibold">
          {isOver ? "Your last call" : "This call"}
        </h2>
        {isOver ? (
          <Button tone="plain" size="small" onClick={() => phone.dismiss()}>
            Done
          </Button>
        ) : null}
      </div>
      <Disposition call={stored} />
    </section>
  );
}
