import { isIP } from "node:net";
import type { CarrierIdentity } from "@leadline/adapter-kit/carrier-identity";
import { getDomain } from "tldts";
import type { Tx } from "../../db/transaction.ts";
import { invalidInput, type Issue } from "../../http/read-input.ts";
import type { Log } from "../../log.ts";
import { realNumbersOfOthers } from "../numbers/numbers-of-others.ts";
import type { StoredSettings } from "./carriers.table.ts";
import { selectOthersInTurn } from "./identities.table.ts";
import { isAssigned, isRefusedByAdministrator } from "./server-owners.ts";

interface GivenCarrier {
  organisationId: string;
  identity: CarrierIdentity;
  /** From the form: names the field that holds a taken number. */
  settings?: StoredSettings;
  /** Its servers that someone has just entered. Those of an account are proven by its key. */
  entered?: readonly string[] | undefined;
  log: Log;
}

/**
 * Throws if another organisation on this server already uses the carrier's identity, without saying which organisation. The
 * check holds until the transaction that saves the identity ends, so that one of two simultaneous attempts is refused.
 */
export async function refuseTakenIdentity(
  tx: Tx,
  given: Omit<GivenCarrier, "identity"> & { identity: CarrierIdentity | null },
): Promise<void> {
  const { identity } = given;
  if (identity === null) return;
  const issues = await findConflicts(tx, { ...given, identity });
  const fields = new Map(issues.map((issue) => [String(issue.path), issue]));
  if (fields.size > 0) throw invalidInput([...fields.values()]);
}

/** The parts of the identity that another organisation uses. Only the log names it, for the server's administrator. */
export async function findConflicts(
  tx: Tx,
  { organisationId, identity, settings = {}, entered = [], log }: GivenCarrier,
): Promise<Issue[]> {
  const { numbers, vouchedFor } = identity;
  const others = await selectOthersInTurn(tx, organisationId, numbers);
  const contestedBy = (theirs: CarrierIdentity) => contestedServers(identity, theirs, entered);
  const takenNumber = (number: string): Issue => ({
    path: ["settings", fieldHolding(settings, number)],
    message: `${number} is already in use on this server. ${askOperator}`,
  });
  const found = others.identities.map((other) => ({
    ...other,
    issues: [
      ...conflictsOf(identity, other.identity, contestedBy(other.identity).length > 0),
      ...takenNumbers(identity, other.identity).map(takenNumber),
    ],
  }));
  const holding = found.filter(({ issues }) => issues.length > 0);
  const holders = holding.map((other) => other.organisationId);
  const servers = [...new Set(holding.flatMap((other) => contestedBy(other.identity)))];
  if (holders.length > 0)
    log.warn({ organisationId, holders, servers }, "a carrier is refused: it is another organisation's");
  const bought = await realNumbersOfOthers(tx, { organisationId, numbers });
  const verified = vouchedFor ? others.verifiedNumbers : [];
  const decided = isRefusedByAdministrator(organisationId, identity) ? [decidedOtherwise] : [];
  return [...decided, ...found.flatMap(({ issues }) => issues), ...[...bought, ...verified].map(takenNumber)];
}

const shared = (ours: readonly string[], theirs: readonly string[]): string[] =>
  ours.filter((each) => theirs.includes(each));

const askOperator = "If it’s yours, ask the administrator of this server.";

const decidedOtherwise: Issue = {
  path: ["settings", "host"],
  message: `The administrator of this server has given that provider to another organisation, or allows only sign-in with a password there. ${askOperator}`,
};

/**
 * Where a server stands for its whole provider, which knows our address at each of its servers if it does at one: the
 * domain that someone registered, or the address itself.
 */
const providerOf = (server: string): string =>
  (isIP(server) === 0 ? getDomain(server, { allowPrivateDomains: true }) : null) ?? server;

/**
 * Our servers at which the provider could take one's calls for the other's, as it knows one of us by address, unless the
 * administrator has decided who uses them. Of those that were just entered, also other servers of the same provider.
 */
function contestedServers(ours: CarrierIdentity, theirs: CarrierIdentity, entered: readonly string[]): string[] {
  if (!ours.knownByAddress && !theirs.knownByAddress) return [];
  const undecided = theirs.servers.filter((server) => theirs.knownByAddress || !isAssigned(server));
  const providers = new Set(undecided.map(providerOf));
  const isTheirs = (server: string): boolean =>
    undecided.includes(server) || (entered.includes(server) && providers.has(providerOf(server)));
  return ours.servers.filter((server) => !isAssigned(server) && isTheirs(server));
}

function conflictsOf(ours: CarrierIdentity, theirs: CarrierIdentity, sameProvider: boolean): Issue[] {
  const issues: Issue[] = [];
  if (sameProvider && ours.knownByAddress)
    issues.push({
      path: ["settings", "host"],
      message: `This server can’t sign in there by its IP address: the provider couldn’t tell your calls from others’. ${askOperator}`,
    });
  else if (sameProvider)
    issues.push({
      path: ["settings", "host"],
      message: `This server is already connected to that provider by its IP address, and your calls couldn’t be told from others’. ${askOperator}`,
    });
  if (ours.localPort !== null && ours.localPort === theirs.localPort)
    issues.push({ path: ["settings", "localPort"], message: "That local port is taken. Choose another." });
  return issues;
}

/** Only where both trust the numbers that their server shows: elsewhere a number must be verified before it is used. */
const takenNumbers = (ours: CarrierIdentity, theirs: CarrierIdentity): string[] =>
  ours.vouchedFor && theirs.vouchedFor !== false ? shared(ours.numbers, theirs.numbers) : [];

/** The setting that is this number alone, such as a caller ID; otherwise the list of numbers. */
const fieldHolding = (settings: StoredSettings, number: string): string =>
  Object.entries(settings).find(([, value]) => value === number)?.[0] ?? "numbers";
