import { everyEndpoint, isAddressed, neededQueries, pathOf, pathsWith } from "./foreign-requests.ts";
import type { OneOfEverything } from "./one-of-everything.ts";
import type { TestApp } from "./test-app.ts";

const reading = everyEndpoint.filter(
  ([name, { method, access, success }]) =>
    method === "GET" &&
    access !== "public" &&
    success[1] !== "events" &&
    // The carrier's whole stock, from which others buy; keep-alives; and a person's own data of every organisation.
    !/^(listAvailableNumbers|readCarrierTrace|exportOwnData)$/.test(name),
);

interface Address {
  path: string;
  isFile: boolean;
}

/** Where the owner reads something: found once, as an identifier fits few endpoints. */
const known = new WeakMap<OneOfEverything, readonly Address[]>();

/**
 * What the owner reads at every GET of the contract, by path: the length of a file, otherwise the answer without what
 * changes by itself.
 */
export async function readEverything(app: TestApp, own: OneOfEverything): Promise<Record<string, unknown>> {
  const addresses = known.get(own) ?? (await findAddresses(app, own));
  known.set(own, addresses);
  const answers: Record<string, unknown> = {};
  for (const { path, isFile } of addresses) {
    const answer = await app.ask("GET", path, { token: own.owner.token });
    answers[path] =
      isFile || answer.statusCode !== 200 ? [answer.statusCode, answer.rawPayload.length] : stable(answer.json());
  }
  return answers;
}

async function findAddresses(app: TestApp, { owner, ids }: OneOfEverything): Promise<Address[]> {
  const found: Address[] = [];
  for (const [name, endpoint] of reading) {
    const query = neededQueries[name] ? `?${new URLSearchParams(neededQueries[name])}` : "";
    for (const path of new Set(isAddressed(endpoint) ? pathsWith(endpoint, ids) : [pathOf(endpoint)])) {
      const { statusCode } = await app.ask("GET", `${path}${query}`, { token: owner.token });
      if (statusCode === 200) found.push({ path: `${path}${query}`, isFile: endpoint.success[1] === "file" });
    }
  }
  return found;
}

const passing = new Set(["instance", "lastUsedAt", "revision", "used", "presence"]);

function stable(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (key, value: unknown) =>
    // A carrier's state is an object; the other states are words, and stay.
    passing.has(key) || (key === "state" && typeof value === "object") ? undefined : value,
  );
}
