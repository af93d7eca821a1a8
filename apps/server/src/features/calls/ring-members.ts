import { randomUUID } from "node:crypto";
import type { InboundCall } from "@leadline/adapter-kit/carrier";
import type { CallDeps } from "./call-deps.ts";
import { stopRinging } from "./stop-ringing.ts";
import { whoMayTake } from "./who-may-take.ts";
import { writeCallThatCame } from "./write-call-that-came.ts";

/** Of one organisation. */
const mostAtOnce = 30;

interface Through {
  organisationId: string;
  carrier: string;
}

/** Rings in the tabs of every member who may take the call; without any, the caller is refused and listed as missed. */
export async function ringMembers(deps: CallDeps, call: InboundCall, through: Through): Promise<void> {
  const { organisationId, carrier } = through;
  const callSid = `CA${randomUUID().replaceAll("-", "")}`;
  const came = { callSid, organisationId, carrier, call };
  const { free, present } = whoMayTake(deps, organisationId);
  const others = deps.ringingCalls.all().filter((ringing) => ringing.organisationId === organisationId);
  // A flood: nobody answers so many, and each is a row.
  if (others.length >= mostAtOnce) return call.refuse("busy");
  if (free.size === 0) {
    call.refuse(present.size === 0 ? "nobody-there" : "busy");
    // A caller without a number cannot be called back, and is not listed.
    if (call.from !== null) await writeCallThatCame(deps, { ...came, rings: false });
    return;
  }
  const written = writeCallThatCame(deps, { ...came, rings: true });
  const ringing = deps.ringingCalls.begin({ callSid, organisationId, carrierId: carrier, call, written });
  call.onGivenUp(() => void stopRinging(deps, ringing, "given-up"));
  call.ring();
  ringing.patience = setTimeout(() => void stopRinging(deps, ringing, "rung-out"), deps.ringForMs);
  try {
    await written;
  } catch (error) {
    // Nobody can be told of it.
    deps.ringingCalls.forget(callSid);
    if (ringing.state === "ringing") call.refuse("nobody-there");
    ringing.state = "over";
    throw error;
  }
}
