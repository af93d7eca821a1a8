import { createHash, randomBytes } from "node:crypto";

import type { CrmMapping } from "@leadline/contract/crm-mapping";
import { CrmError, type CrmFault, type CrmGrant, type CrmLead } from "../crm.ts";
import type { CrmUnderTest } from "../crm-conformance.ts";
import { suggestMapping } from "../suggest-mapping.ts";

export type CrmHands = ReturnType<typeof createCrmHands>;

/** A CRM's operations, as its tests run them. */
export function createCrmHands(test: () => CrmUnderTest) {
  const login = () => ({ workspace: test().workspace, callbackUrl: test().callbackUrl });
  const begin = () => {
    const codeVerifier = randomBytes(32).toString("base64url");
    const codeChallenge = createHash("sha256").update(codeVerifier).digest("base64url");
    const state = randomBytes(16).toString("base64url");
    return { codeVerifier, state, url: test().crm.authoriseUrl({ ...login(), state, codeChallenge }) };
  };
  const connect = async (): Promise<CrmGrant> => {
    const { codeVerifier, url } = begin();
    const code = (await test().consent(url, "allow")).get("code") ?? "";
    return test().crm.exchangeCode({ ...login(), code, codeVerifier });
  };
  let mapping: Promise<CrmMapping> | undefined;
  /** With the default mapping, or the one that is suggested. */
  const read = async (grant: CrmGrant, cursor: string | null) => {
    mapping ??= suggestFor(test(), await connect());
    return test().crm.readLeads(grant, cursor, await mapping);
  };
  const readSome = async (grant: CrmGrant, externalIds: readonly string[]) => {
    mapping ??= suggestFor(test(), await connect());
    return test().crm.readSome(grant, externalIds, await mapping);
  };
  /** Where the CRM isn't ready yet, it is asked again at once. */
  const readAll = async (grant: CrmGrant, from: string | null) => {
    const leads: CrmLead[] = [];
    const deleted: string[] = [];
    let cursor = from;
    let pages = 0;
    for (let done = false; !done; pages += 1) {
      const page = await read(grant, cursor);
      leads.push(...page.leads);
      deleted.push(...page.deleted);
      ({ cursor, done } = page);
    }
    return { leads, deleted, cursor, pages };
  };

  return {
    login,
    begin,
    connect,
    read,
    readSome,
    readAll,
    mapping: async () => (mapping ??= suggestFor(test(), await connect())),
  };
}

async function suggestFor({ crm, sourceName }: CrmUnderTest, grant: CrmGrant): Promise<CrmMapping> {
  const { sources, defaultMapping } = crm;
  if (defaultMapping !== null) return defaultMapping;
  const source = (await sources.list(grant)).find(({ name }) => name === sourceName);
  if (source === undefined) throw new Error(`there is no source ${sourceName}`);
  const fields = suggestMapping(await sources.describeFields(grant, source.id));
  return { source: source.id, sourceName: source.name, fields, custom: [], statuses: {} };
}

/** How this failed, in the adapter interface's terms. */
export async function faultOf(work: Promise<unknown>): Promise<CrmFault | "none"> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return "none";
  if (!(error instanceof CrmError)) throw error;
  return error.fault;
}

export const idsOf = (leads: readonly CrmLead[]): string[] => leads.map(({ externalId }) => externalId);
