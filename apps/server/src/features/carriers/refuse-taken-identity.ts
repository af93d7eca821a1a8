import type { CarrierIdentity } from "@leadline/adapter-kit/carrier-identity";
import type { Tx } from "../../db/transaction.ts";
import { invalidInput, type Issue } from "../../http/read-input.ts";
import type { Log } from "../../log.ts";
import { numbersOfOthers } from "../numbers/numbers-of-others.ts";
import { selectOthersInTurn } from "./identities.table.ts";

/**
 * For the transaction that keeps what a carrier is known by: refuses what another organisation of this server is known by. It
 * names nobody, and holds until the transaction ends, so that of two at once one is refused.
 */
export async function refuseTakenIdentity(
  tx: Tx,
  given: { organisationId: string; identity: CarrierIdentity | null; log: Log },
): Promise<void> {
  const { identity } = given;
  if (identity === null) return;
  const issues = await findConflicts(tx, { ...given, identity });
  const fields = new Map(issues.map((issue) => [String(issue.path), issue]));
  if (fields.size > 0) throw invalidInput([...fields.values()]);
}

/** What of this identity is another organisation's. The log alone says whose, for the administrator of the server. */
export async function findConflicts(
  tx: Tx,
  { organisationId, identity, log }: { organisationId: string; identity: CarrierIdentity; log: Log },
): Promise<Issue[]> {
  const { numbers, vouchedFor } = identity;
  const others = await selectOthersInTurn(tx, organisationId, numbers);
  const found = others.identities.map((other) => ({ ...other, issues: conflictsOf(identity, other.identity) }));
  const holders = found.filter(({ issues }) => issues.length > 0).map((other) => other.organisationId);
  if (holders.length > 0) log.warn({ organisationId, holders }, "a carrier is refused: it is another organisation's");
  const bought = await numbersOfOthers(tx, { organisationId, numbers });
  const verified = vouchedFor ? others.verifiedNumbers : [];
  return [...found.flatMap(({ issues }) => issues), ...[...bought, ...verified].map(takenNumber)];
}

const shared = (ours: readonly string[], theirs: readonly string[]): string[] =>
  ours.filter((each) => theirs.includes(each));

const askOperator = "If it’s yours, ask the administrator of this server.";

function conflictsOf(ours: CarrierIdentity, theirs: CarrierIdentity): Issue[] {
  const issues: Issue[] = [];
  const sameServer = shared(ours.servers, theirs.servers).length > 0;
  if (sameServer && ours.knownByAddress)
    issues.push({
      path: ["settings", "host"],
      message: `This server can’t sign in there by its IP address: the provider couldn’t tell your calls from others’. ${askOperator}`,
    });
  else if (sameServer && theirs.knownByAddress)
    issues.push({
      path: ["settings", "host"],
      message: `This server is already connected there by its IP address, and your calls couldn’t be told from others’. ${askOperator}`,
    });
  if (ours.localPort !== null && ours.localPort === theirs.localPort)
    issues.push({ path: ["settings", "localPort"], message: "That local port is taken. Choose another." });
  // Elsewhere a number is shown once it is verified, and whoever types it first takes it from nobody.
  const vouchedFor = ours.vouchedFor && theirs.vouchedFor !== false;
  return [...issues, ...(vouchedFor ? shared(ours.numbers, theirs.numbers) : []).map(takenNumber)];
}

const takenNumber = (number: string): Issue => ({
  path: ["settings", "numbers"],
  message: `${number} is already in use on this server. ${askOperator}`,
});
