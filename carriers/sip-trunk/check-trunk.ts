import { isIP } from "node:net";

import type { CarrierCheck } from "@leadline/adapter-kit/carrier";

import { canBeSealed } from "./calls/sealing-over.ts";
import { checkCallsIn } from "./check-calls-in.ts";
import { askOptions, type OptionsAnswer } from "./keep-alive.ts";
import type { keepRegistered } from "./registration.ts";
import { wantedOf } from "./targets.ts";
import type { SipTarget } from "./transport/sip-target.ts";
import { hostPort } from "./transport/sip-text.ts";
import type { Trunk } from "./trunk.ts";
import { whyRefused } from "./trunk-state.ts";

type Registration = ReturnType<typeof keepRegistered>;
const registeredWithinMs = 10_000;

/** Finds the server, asks whether it is there, and signs in, as a call would; stops at the first that fails. */
export async function checkTrunk(
  trunk: Trunk,
  registration: Registration | null,
  { calledElsewhere }: { calledElsewhere: boolean },
): Promise<CarrierCheck[]> {
  const { host, authentication } = trunk.settings;
  const targets = await trunk.targets.all().catch(() => []);
  const found = targets.map(({ protocol, address, port }) => `${hostPort(address, port)} over ${protocol}`).join(", ");
  if (targets.length === 0)
    return [
      { what: "Find the server", ok: false, sentence: `No address is known for ${host}. Check it for a mistake.` },
    ];
  const isName = isIP(wantedOf(trunk.settings).host) === 0;
  const sentence = isName ? `${host} is at ${found}.` : `Nothing to look up: it is an address. Calls go to ${found}.`;
  const checks: CarrierCheck[] = [{ what: "Find the server", ok: true, sentence }];

  const { answer, check } = await reach(trunk, targets);
  checks.push(check);
  if (!answer) return checks;
  if (registration) checks.push(await signIn(host, registration));
  else if (authentication === "digest") checks.push(passwordSoFar(host, answer.status));
  else if (notLetIn.includes(answer.status)) checks.push(await refusedByAddress(trunk, answer));
  if (checks.some(({ ok }) => !ok)) return checks;
  const callsIn = calledElsewhere ? null : await checkCallsIn(trunk, answer);
  return [...checks, ...(callsIn ? [callsIn] : []), encryption(trunk, targets)];
}

const notLetIn: readonly number[] = [401, 403, 407];

async function refusedByAddress(trunk: Trunk, { target, status, seenAs }: OptionsAnswer): Promise<CarrierCheck> {
  const ours = seenAs ?? (await trunk.transport.ourAddress(target.address));
  const sentence = `${trunk.settings.host} refuses us (${status}). Ask your provider to let in this server’s address, ${ours}.`;
  return { what: "Sign in", ok: false, sentence };
}

/** Only a call makes most servers ask for the password. */
function passwordSoFar(host: string, status: number | null): CarrierCheck {
  const what = "Sign in";
  if (status === 401 || status === 407)
    return { what, ok: false, sentence: `${host} did not let us in. ${whyRefused(status)}` };
  const sentence = "The password is not tried yet: the server asks for it with the first call.";
  return { what, ok: true, sentence };
}

/** Whether the far end can is seen with a call only. */
function encryption({ settings }: Trunk, targets: readonly SipTarget[]): CarrierCheck {
  const what = "Encryption";
  if (settings.mediaEncryption === "off") return { what, ok: true, sentence: "Off, as your settings say." };
  if (!canBeSealed(targets, settings.mediaEncryption))
    return settings.mediaEncryption === "required"
      ? { what, ok: false, sentence: "Your settings ask for it, and it needs TLS: choose that, or no call goes out." }
      : { what, ok: true, sentence: "Off: it needs TLS as the transport." };
  const sentence =
    settings.mediaEncryption === "required"
      ? "On: a call whose sound the other side does not encrypt is refused."
      : "On, wherever the other side can encrypt the sound too.";
  return { what, ok: true, sentence };
}

/** answer: the quickest. */
async function reach(
  trunk: Trunk,
  targets: readonly SipTarget[],
): Promise<{ answer: OptionsAnswer | null; check: CarrierCheck }> {
  const what = "Reach it";
  const heard = await Promise.all(targets.map((target) => askOptions(trunk, target)));
  const quickest = heard.filter((answer) => answer !== null).toSorted((one, other) => one.tookMs - other.tookMs)[0];
  const silent = targets.filter((_, i) => heard[i] === null).map(({ address, port }) => hostPort(address, port));
  if (!quickest) {
    const code = targets.map((target) => trunk.transport.troubleWith(target)).find((each) => each !== null);
    return { answer: null, check: { what, ok: false, sentence: whyUnreachable(code) } };
  }
  const others = silent.length === 0 ? "" : ` ${silent.join(", ")} does not answer; calls go to the others.`;
  const sentence = `It answered in ${quickest.tookMs} ms.${others}`;
  return { answer: quickest, check: { what, ok: true, sentence } };
}

async function signIn(host: string, registration: Registration): Promise<CarrierCheck> {
  const what = "Sign in";
  const state = await registration.settled(registeredWithinMs);
  if (state.status === "registered") return { what, ok: true, sentence: `${host} has registered us.` };
  const why = state.status === "refused" ? whyRefused(state.sip) : "It did not answer.";
  return { what, ok: false, sentence: `${host} did not register us. ${why}` };
}

/** Node's and OpenSSL's codes for why no connection came to be. */
function whyUnreachable(code: string | undefined): string {
  switch (code) {
    case undefined:
      return "Nothing answers there. Check port and transport, and that no firewall stands between.";
    case "ECONNREFUSED":
      return "The server is there, but takes no connection at that port. Check port and transport.";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "Its certificate is another server's. Type the name that the certificate holds.";
    case "CERT_HAS_EXPIRED":
      return "Its certificate has expired. Whoever runs the server must renew it.";
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return "No authority that we know has signed its certificate. Paste its authority's certificate (Advanced).";
    default:
      return code.startsWith("ERR_SSL_") || code === "EPROTO"
        ? "It does not speak TLS at that port. Check port and transport."
        : "No connection came to be. Check port and transport, and that no firewall stands between.";
  }
}
