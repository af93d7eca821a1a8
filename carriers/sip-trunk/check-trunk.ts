import { isIP } from "node:net";

import type { CarrierCheck } from "@leadline/adapter-kit/carrier";

import { canBeSealed } from "./calls/sealing-over.ts";
import { checkCallsIn } from "./check-calls-in.ts";
import { askOptions, type OptionsAnswer } from "./keep-alive.ts";
import type { keepRegistered } from "./registration.ts";
import { askedOf, wantedOf } from "./targets.ts";
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
  const { authentication } = trunk.settings;
  const targets = await trunk.targets.all().catch(() => []);
  if (targets.length === 0)
    return [
      {
        what: "Find the server",
        ok: false,
        sentence: `No address is known for ${askedOf(trunk.settings)}. Check it for a mistake.`,
      },
    ];
  const checks: CarrierCheck[] = [{ what: "Find the server", ok: true, sentence: whereFound(trunk, targets) }];

  const { answer, check } = await reach(trunk, targets);
  checks.push(check);
  if (!answer) return checks;
  const server = trunk.serverOf(answer.target);
  if (registration) checks.push(await signIn(server, registration));
  else if (authentication === "digest") checks.push(passwordSoFar(server, answer.status));
  else if (notLetIn.includes(answer.status)) checks.push(await refusedByAddress(trunk, answer));
  if (checks.some(({ ok }) => !ok)) return checks;
  const callsIn = calledElsewhere ? null : await checkCallsIn(trunk, answer);
  return [...checks, ...(callsIn ? [callsIn] : []), encryption(trunk, targets)];
}

function whereFound(trunk: Trunk, targets: readonly SipTarget[]): string {
  const addressed = targets.map(({ protocol, address, port }) => `${hostPort(address, port)} over ${protocol}`);
  const wanted = wantedOf(trunk.settings);
  const [first] = wanted;
  if (first && wanted.length === 1)
    return isIP(first.host) === 0
      ? `${askedOf(trunk.settings)} is at ${addressed.join(", ")}.`
      : `Nothing to look up: it is an address. Calls go to ${addressed.join(", ")}.`;
  const lacking = trunk.targets.notLocated().map(({ host }) => ` No address is known for ${host}.`);
  return `Calls go to ${addressed.join(", else to ")}.${lacking.join("")}`;
}

const notLetIn: readonly number[] = [401, 403, 407];

async function refusedByAddress(trunk: Trunk, { target, status, seenAs }: OptionsAnswer): Promise<CarrierCheck> {
  const ours = seenAs ?? (await trunk.transport.ourAddress(target.address));
  const sentence = `${trunk.serverOf(target)} refuses us (${status}). Ask your provider to let in this server’s address, ${ours}.`;
  return { what: "Sign in", ok: false, sentence };
}

/** Only a call makes most servers ask for the password. */
function passwordSoFar(server: string, status: number | null): CarrierCheck {
  const what = "Sign in";
  if (status === 401 || status === 407)
    return { what, ok: false, sentence: `${server} did not let us in. ${whyRefused(status)}` };
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

/** answer: of the one that a call tries first. */
async function reach(
  trunk: Trunk,
  targets: readonly SipTarget[],
): Promise<{ answer: OptionsAnswer | null; check: CarrierCheck }> {
  const what = "Reach it";
  const heard = await Promise.all(targets.map((target) => askOptions(trunk, target)));
  const answers = heard.filter((answer) => answer !== null);
  const [answer] = answers;
  const silent = targets.filter((_, i) => heard[i] === null).map(({ address, port }) => hostPort(address, port));
  if (!answer) {
    const code = targets.map((target) => trunk.transport.troubleWith(target)).find((each) => each !== null);
    return { answer: null, check: { what, ok: false, sentence: whyUnreachable(code) } };
  }
  const who = ({ address, port }: SipTarget): string => (targets.length === 1 ? "It" : hostPort(address, port));
  const answered = answers.map(({ target, tookMs }) => `${who(target)} answered in ${tookMs} ms.`);
  const sayNothing = silent.length === 1 ? "does not answer" : "do not answer";
  const others = silent.length === 0 ? [] : [`${silent.join(", ")} ${sayNothing}; calls go to the others.`];
  return { answer, check: { what, ok: true, sentence: [...answered, ...others].join(" ") } };
}

/** server: whom it is said of where none has said anything itself. */
async function signIn(server: string, registration: Registration): Promise<CarrierCheck> {
  const what = "Sign in";
  const state = await registration.settled(registeredWithinMs);
  if (state.status === "registered") return { what, ok: true, sentence: `${state.at} has registered us.` };
  if (state.status === "refused")
    return { what, ok: false, sentence: `${state.by} did not register us. ${whyRefused(state.sip)}` };
  return { what, ok: false, sentence: `${server} did not register us. It did not answer.` };
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
