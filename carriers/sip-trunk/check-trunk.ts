import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import type { CarrierCheck } from "@leadline/adapter-kit/carrier";

import { canBeEncrypted } from "./calls/encryption-over.ts";
import { checkCallsIn } from "./check-inbound.ts";
import { askOptions, type OptionsAnswer } from "./keep-alive.ts";
import type { keepRegistered, RegistrationState } from "./registration.ts";
import { askedOf, wantedOf } from "./targets.ts";
import { NotLocated } from "./transport/locate.ts";
import type { SipTarget } from "./transport/sip-target.ts";
import { hostPort } from "./transport/sip-text.ts";
import type { Trunk } from "./trunk.ts";
import { isPrivate, unknownChallenge, whyNotRegistered, whyPrivate } from "./trunk-state.ts";

type Registration = ReturnType<typeof keepRegistered>;
const registeredWithinMs = 10_000;
/** As long as askOptions waits: a closed port must take as long to report as a silent one. */
const unansweredMs = 5_000;

/** Finds the server, checks that it is there, and logs in, as a call would; stops at the first failure. */
export async function checkTrunk(
  trunk: Trunk,
  registration: Registration | null,
  { calledElsewhere }: { calledElsewhere: boolean },
): Promise<CarrierCheck[]> {
  const { authentication } = trunk.settings;
  const { found, why } = await find(trunk);
  if (found.length === 0) return [{ what: "Find the server", ok: false, sentence: why }];
  if (isPrivate(trunk)) return [{ what: "Find the server", ok: false, sentence: whyPrivate(askedOf(trunk.settings)) }];
  const checks: CarrierCheck[] = [{ what: "Find the server", ok: true, sentence: whereFound(trunk, found) }];

  const waited = sleep(registeredWithinMs, undefined, { ref: false });
  const [{ answer, check }, registered] = await Promise.all([
    reach(trunk, found),
    registration?.settled(registeredWithinMs) ?? null,
  ]);
  const registersElsewhere = calledElsewhere && authentication === "register";
  const heardAnyway = () =>
    heardFromAnyway(trunk, found, registered) ?? (registersElsewhere ? heardThere(trunk, check) : check);
  const reached = check.ok ? check : heardAnyway();
  checks.push(reached);
  if (!reached.ok) {
    // A closed port refuses registration immediately, and a silent one lets it wait: the timing must not reveal which.
    if (registration) await waited;
    return checks;
  }
  const first = answer?.target ?? found[0];
  const unwell = answer && whyUnwell(trunk, answer);
  if (registered) checks.push(signIn(first ? trunk.serverOf(first) : trunk.settings.host, registered));
  else if (unwell) checks.push(unwell);
  else if (authentication === "digest") checks.push(passwordSoFar(trunk, answer));
  else if (answer) checks.push(...(await admittedByAddress(trunk, answer)));
  if (checks.some(({ ok }) => !ok)) return checks;
  const callsIn = calledElsewhere || !answer ? null : await checkCallsIn(trunk, answer);
  return [...checks, ...(callsIn ? [callsIn] : []), encryption(trunk, found)];
}

async function find(trunk: Trunk): Promise<{ found: readonly SipTarget[]; why: string }> {
  const asked = askedOf(trunk.settings);
  try {
    return { found: await trunk.targets.all(), why: "" };
  } catch (error) {
    const why =
      error instanceof NotLocated && error.isOfDns
        ? `${asked} couldn’t be resolved because DNS didn’t respond in time. Check this server’s DNS settings.`
        : `${asked} has no address in DNS. Check the name.`;
    return { found: [], why };
  }
}

/**
 * OPTIONS went unanswered, as many servers never answer it; anything else received from them shows that they are there.
 */
function heardFromAnyway(
  trunk: Trunk,
  targets: readonly SipTarget[],
  registered: RegistrationState | null,
): CarrierCheck | null {
  const what = "Reach it";
  const first = targets.find((target) => trunk.targets.heardAtMs(target) !== null && !trunk.targets.isSilent(target));
  if (!first) return null;
  const isAnswered = registered?.status === "registered" || registered?.status === "refused";
  const heard = isAnswered ? "it answered our registration" : "it has sent us other messages";
  return { what, ok: true, sentence: `${trunk.serverOf(first)} doesn’t answer OPTIONS, which is fine: ${heard}.` };
}

/** A server that ignores our OPTIONS may answer the other process's registration. */
const heardThere = ({ settings }: Trunk, check: CarrierCheck): CarrierCheck =>
  check.sentence === silence
    ? {
        ...check,
        ok: true,
        sentence: `${askedOf(settings)} doesn’t answer OPTIONS. Another process of this server registers there, and this one can’t tell whether it does: make a test call to be sure.`,
      }
    : check;

function whereFound(trunk: Trunk, targets: readonly SipTarget[]): string {
  const addressed = targets.map(({ protocol, address, port }) => `${hostPort(address, port)} over ${protocol}`);
  const wanted = wantedOf(trunk.settings);
  const [first] = wanted;
  if (first && wanted.length === 1)
    return isIP(first.host) === 0
      ? `${askedOf(trunk.settings)} is at ${addressed.join(", ")}.`
      : `It’s an address, so there’s nothing to look up. Calls go to ${addressed.join(", ")}.`;
  const lacking = trunk.targets.notLocated().map(({ host }) => ` No address is known for ${host}.`);
  return `Calls go to ${addressed.join(", else to ")}.${lacking.join("")}`;
}

/** What keeps a server from taking calls, however we sign in; null if its response to OPTIONS shows nothing. */
function whyUnwell(trunk: Trunk, { target, status }: OptionsAnswer): CarrierCheck | null {
  const what = "Sign in";
  const server = trunk.serverOf(target);
  const found = (sentence: string): CarrierCheck => ({ what, ok: false, sentence });
  if (status === 503) return found(`${server} is overloaded or out of service (503). Try again in a while.`);
  if (status >= 500 && status < 600 && status !== 501)
    return found(`${server} reported an internal error (${status}). Try again. If it continues, ask your provider.`);
  if (status >= 300 && status < 400)
    return found(`${server} redirects elsewhere (${status}). Ask your provider for the right server.`);
  return null;
}

/** Recognised by address: only the response to OPTIONS shows whether the server knows it. */
async function admittedByAddress(trunk: Trunk, { target, status, seenAs }: OptionsAnswer): Promise<CarrierCheck[]> {
  const what = "Sign in";
  const server = trunk.serverOf(target);
  const ours = seenAs ?? (await trunk.transport.ourAddress(target.address));
  if (status === 401 || status === 407)
    return [
      {
        what,
        ok: false,
        sentence: `${server} asks for a password (${status}). Ask your provider to allow this server’s address, ${ours}, or choose another sign-in.`,
      },
    ];
  if (status === 403)
    return [
      {
        what,
        ok: false,
        sentence: `${server} refuses us (403). Ask your provider to allow this server’s address, ${ours}. Some servers refuse only OPTIONS, so make a test call to be sure.`,
      },
    ];
  if (status >= 400)
    return [
      {
        what,
        ok: true,
        sentence: `${server} answered OPTIONS with ${status}, as some servers do even when calls work. Make a test call to check that it accepts ${ours}.`,
      },
    ];
  return [];
}

/** Most servers only ask for the password in a call. */
function passwordSoFar(trunk: Trunk, answer: OptionsAnswer | null): CarrierCheck {
  const what = "Sign in";
  if (answer?.status === 401 || answer?.status === 407)
    return {
      what,
      ok: false,
      sentence: `${trunk.serverOf(answer.target)} rejected the login. ${
        answer.isUnsigned ? unknownChallenge(answer.status) : "Check the user and the password."
      }`,
    };
  const sentence = "The password hasn’t been checked yet. The server asks for it on the first call.";
  return { what, ok: true, sentence };
}

/** Only a call shows whether the far end supports it. */
function encryption({ settings }: Trunk, targets: readonly SipTarget[]): CarrierCheck {
  const what = "Encryption";
  if (settings.mediaEncryption === "off") return { what, ok: true, sentence: "Off in your settings." };
  if (!canBeEncrypted(targets, settings.mediaEncryption))
    return settings.mediaEncryption === "required"
      ? { what, ok: false, sentence: "Your settings require it, and it needs TLS. Choose TLS, or outbound calls fail." }
      : { what, ok: true, sentence: "Off: it needs TLS as the transport." };
  const sentence =
    settings.mediaEncryption === "required"
      ? "On. Calls are refused if the other side doesn’t encrypt the audio."
      : "On, if the other side supports it.";
  return { what, ok: true, sentence };
}

/** answer: from the target that a call tries first. */
async function reach(
  trunk: Trunk,
  targets: readonly SipTarget[],
): Promise<{ answer: OptionsAnswer | null; check: CarrierCheck }> {
  const what = "Reach it";
  const waited = sleep(unansweredMs, undefined, { ref: false });
  const heard = await Promise.all(targets.map((target) => askOptions(trunk, target)));
  const answers = heard.filter((answer) => answer !== null);
  const [answer] = answers;
  const silent = targets.filter((_, i) => heard[i] === null).map(({ address, port }) => hostPort(address, port));
  if (!answer) {
    const reasons = targets.map((target) => whyUnreachable(trunk, target));
    await waited;
    return { answer: null, check: { what, ok: false, sentence: reasons.find((each) => each !== silence) ?? silence } };
  }
  const who = ({ address, port }: SipTarget): string => (targets.length === 1 ? "It" : hostPort(address, port));
  const answered = answers.map(({ target, tookMs }) => `${who(target)} answered in ${tookMs} ms.`);
  const areSilent = silent.length === 1 ? "does not answer" : "do not answer";
  const others = silent.length === 0 ? [] : [`${silent.join(", ")} ${areSilent}; calls go to the others.`];
  return { answer, check: { what, ok: true, sentence: [...answered, ...others].join(" ") } };
}

/** server: the name to show if none has responded itself. */
function signIn(server: string, state: RegistrationState): CarrierCheck {
  const what = "Sign in";
  if (state.status === "registered") return { what, ok: true, sentence: `${state.at} accepted our registration.` };
  if (state.status === "refused")
    return { what, ok: false, sentence: `${state.by} rejected our registration. ${whyNotRegistered(state)}` };
  return { what, ok: false, sentence: `${server} didn’t answer our registration.` };
}

/** The same for a closed port and a silent one, so that the test can't be used to scan a network. */
const silence =
  "No response. Check the port, the transport and any firewall. Some trunks ignore OPTIONS: make a test call to be sure.";

/** This machine's own firewall doesn't stop it from reaching itself, even by a public address. */
const isThisMachine = (target: SipTarget): boolean =>
  Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === target.address));

/** By Node's and OpenSSL's error codes. Inside the operator's networks, an open port without TLS looks like a closed one. */
function whyUnreachable(trunk: Trunk, target: SipTarget): string {
  const code = trunk.transport.troubleWith(target);
  switch (code) {
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "Its certificate is for another server. Enter the name in the certificate.";
    case "CERT_HAS_EXPIRED":
      return "Its certificate has expired. Ask your provider to renew it.";
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return "Its certificate is from an unknown authority. Paste the authority’s certificate under Advanced.";
    default:
      return (code?.startsWith("ERR_SSL_") || code === "EPROTO") &&
        !trunk.targets.isVouchedFor(target) &&
        !isThisMachine(target)
        ? "It doesn’t use TLS on that port. Check the port and the transport."
        : silence;
  }
}
