import type { CarrierIdentity, CarrierModule } from "@leadline/adapter-kit/carrier";
import type { Tx } from "../../db/transaction.ts";
import { invalidInput, type Issue } from "../../http/read-input.ts";
import { numbersOfOthers } from "../numbers/numbers-of-others.ts";
import { secretNames } from "./read-settings.ts";
import { selectOthersInTurn, type StoredSettings } from "./carriers.table.ts";

/**
 * For the transaction that keeps these settings: what they are known by, unless another organisation of this server is known
 * by it. It names nobody, and holds until the transaction ends, so that of two at once one is refused.
 */
export async function refuseTakenIdentity(
  tx: Tx,
  modules: readonly CarrierModule[],
  { organisationId, module, settings }: { organisationId: string; module: CarrierModule; settings: StoredSettings },
): Promise<CarrierIdentity | null> {
  const ours = (await module.identify?.(settings)) ?? null;
  if (ours === null) return null;
  const others = await selectOthersInTurn(tx, organisationId);
  const identities = await Promise.all(others.map((other) => other.identity ?? identifyStored(modules, other)));
  const issues = identities.flatMap((theirs) => (theirs ? conflictsOf(ours, theirs) : []));
  const bought = await numbersOfOthers(tx, { organisationId, numbers: ours.numbers });
  issues.push(...bought.map(takenNumber));
  const fields = new Map(issues.map((issue) => [issue.path.join("."), issue]));
  if (fields.size > 0) throw invalidInput([...fields.values()]);
  return ours;
}

/** One that was kept before identities were. Its secrets say nothing of where it is. */
async function identifyStored(
  modules: readonly CarrierModule[],
  stored: { kind: string; settings: StoredSettings },
): Promise<CarrierIdentity | null> {
  const module = modules.find(({ id }) => id === stored.kind);
  if (!module?.identify) return null;
  const secrets = Object.fromEntries(secretNames(module).map((name) => [name, "-"]));
  const parsed = module.settings.safeParse({ ...stored.settings, ...secrets });
  return parsed.success ? module.identify(parsed.data) : null;
}

const shared = (ours: readonly string[], theirs: readonly string[]): string[] =>
  ours.filter((each) => theirs.includes(each));

const askOperator = "Ask whoever runs this Leadline if it is yours.";

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
  return [...issues, ...shared(ours.numbers, theirs.numbers).map(takenNumber)];
}

const takenNumber = (number: string): Issue => ({
  path: ["settings", "numbers"],
  message: `${number} is already in use on this server. ${askOperator}`,
});
