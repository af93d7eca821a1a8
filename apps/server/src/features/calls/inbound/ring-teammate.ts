import type { Carrier, InboundCall } from "@leadline/adapter-kit/carrier";
import { teammateCarrier } from "@leadline/contract/transfers";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Problem } from "../../../http/problem.ts";
import type { Member } from "../../../http/route.ts";
import { publishLiveEvent } from "../../live-events/publish-live-event.ts";
import { listMembers } from "../../members/list-members.ts";
import { type CallDeps, toCall } from "../call-deps.ts";
import { connectTeammates } from "./connect-teammates.ts";
import { readCall } from "../log/get-call.ts";
import type { LiveCall } from "../live-calls.ts";
import { newCallSid } from "../new-call-sid.ts";
import { insertInboundCall } from "./ringing-calls.table.ts";
import { stopRinging } from "./stop-ringing.ts";
import { refuseUnavailable, readAvailability } from "./teammate-availability.ts";

interface Teammate {
  userId: string;
  name: string;
}

/** A teammate who can be rung now, with a carrier whose `dial` rings only in their tabs. Throws if they can't be rung. */
export async function findTeammateCarrier(
  deps: CallDeps,
  { caller, userId, firstCallSid }: { caller: Member; userId: string; firstCallSid: string },
): Promise<{ teammate: Teammate; carrier: Carrier; teammateEntry: LiveCall["teammateEntry"] }> {
  await refuseUnavailable(deps, { organisationId: caller.organisation.id, userId, own: caller.userId });
  const [members, first] = await Promise.all([
    listMembers(deps.database, caller),
    readCall(deps, { caller, callSid: firstCallSid }),
  ]);
  const nameOf = (id: string): string => {
    const found = members.find((member) => member.userId === id);
    if (!found) throw new Problem("not-found", "Teammate not found.");
    return personName(found);
  };
  const [lead, ...others] = first.leads;
  const waiting =
    lead && others.length === 0
      ? personName(lead)
      : (parsePhoneNumberFromString(first.phoneNumber)?.formatInternational() ??
        (first.phoneNumber || (first.callerId ?? "a withheld number")));
  const teammate = { userId, name: nameOf(userId) };
  const callSid = newCallSid();
  const callerName = nameOf(caller.userId);
  const from = `${callerName}, with ${waiting} on the line`;
  const organisationId = caller.organisation.id;
  return {
    teammate,
    teammateEntry: { callSid, alone: callerName, transferred: `${waiting}, transferred by ${callerName}` },
    carrier: {
      async dial({ offer, onEvent }) {
        const { leg, call } = connectTeammates({ offer, onEvent }, { from, to: teammate.name });
        ring(deps, call, { callSid, organisationId, teammate, from });
        return leg;
      },
      close: async () => {},
    },
  };
}

const personName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim();

function ring(
  deps: CallDeps,
  call: InboundCall,
  {
    callSid,
    organisationId,
    teammate,
    from,
  }: { callSid: string; organisationId: string; teammate: Teammate; from: string },
): void {
  const { userId } = teammate;
  // Somebody else may have started ringing them since.
  if (!readAvailability(deps, organisationId).free.has(userId)) return queueMicrotask(() => call.refuse("busy"));
  const written = write(deps, { callSid, organisationId, callerId: from, teammate });
  const ringing = deps.ringingCalls.begin({
    callSid,
    organisationId,
    carrierId: teammateCarrier,
    call,
    written,
    memberId: userId,
  });
  call.onGivenUp(() => void stopRinging(deps, ringing, "given-up"));
  ringing.ringTimer = setTimeout(() => void stopRinging(deps, ringing, "rung-out"), deps.ringForMs);
  written.then(
    () => call.ring(),
    (error: unknown) => {
      deps.log.error({ err: error, callSid }, "a call to a teammate could not be recorded");
      deps.ringingCalls.forget(callSid);
      if (ringing.state === "ringing") call.refuse("overloaded");
      ringing.state = "over";
    },
  );
}

/** Stores the teammate's own log entry, unassigned until they answer. */
function write(
  deps: CallDeps,
  came: { callSid: string; organisationId: string; callerId: string; teammate: Teammate },
): Promise<void> {
  const { callSid, organisationId, callerId, teammate } = came;
  return deps.database.withTransaction({ organisationId }, async (tx) => {
    const stored = await insertInboundCall(
      tx,
      {
        callSid,
        organisationId,
        phoneNumber: "",
        callerId,
        calledNumber: teammate.name,
        callerVerification: null,
        forwardedBy: null,
        ringsFor: teammate.userId,
        carrier: teammateCarrier,
        connectionId: null,
        processKey: deps.processKey,
      },
      null,
    );
    if (stored)
      await publishLiveEvent(tx, { organisationId, type: "call.updated", data: toCall(deps.carriers, stored) });
  });
}
