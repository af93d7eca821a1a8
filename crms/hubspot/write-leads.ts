import { ownerText } from "@leadline/adapter-kit/apply-mapping";
import { CrmError, type CrmGrant, type CrmOwner } from "@leadline/adapter-kit/crm";
import type { CrmLeadWriter, CrmWrittenField, NewCrmLead } from "@leadline/adapter-kit/crm-lead-writer";
import { valuesToWrite } from "@leadline/adapter-kit/values-to-write";
import { z } from "zod";
import { type Api, Conflict, Invalid, NotFound } from "./api.ts";
import { ownerProperty } from "./mapping.ts";
import { createOwnerReader } from "./read-owners.ts";

const contactsPath = "/crm/v3/objects/contacts";
const Id = z.string().regex(/^\d{1,20}$/);
const Contact = z.object({ id: Id });
const Version = z.object({ value: z.string(), timestamp: z.iso.datetime(), sourceType: z.string().default("") });
/** Newest first. */
const Versions = z.array(Version);
type Version = z.output<typeof Version>;
const Histories = z.object({ results: z.array(z.object({ propertiesWithHistory: z.record(z.string(), Versions) })) });
/** Part of an error's message: one entry for each value that was refused. */
const Refusals = z.array(z.object({ message: z.string() })).min(1);

/** HubSpot identifies a contact by its email, and refuses a second one with the same: that is how one is found again. */
export function createLeadWriter(api: Api): CrmLeadWriter {
  const readOwners = createOwnerReader(api);

  async function findByEmail(grant: CrmGrant, { values: { email } }: NewCrmLead): Promise<string | null> {
    if (email === "")
      throw new CrmError("refused", "HubSpot identifies contacts by their email. Add one to the lead, then retry.");
    const query = new URLSearchParams({ idProperty: "email" });
    try {
      return (await api.ask(Contact, { grant, path: `${contactsPath}/${encodeURIComponent(email)}`, query })).body.id;
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  const patch = (grant: CrmGrant, externalId: string, properties: Record<string, string>) =>
    api.ask(Contact, {
      grant,
      path: `${contactsPath}/${Id.parse(externalId)}`,
      method: "PATCH",
      body: { properties },
    });

  /** HubSpot can't write on a condition. Its history tells afterwards which of these values replaced someone else's. */
  async function valuesReplaced(
    grant: CrmGrant,
    { externalId, properties, isOthers }: Replacing,
  ): Promise<Record<string, string>> {
    const body = { inputs: [{ id: externalId }], properties: [], propertiesWithHistory: Object.keys(properties) };
    const answer = await api.ask(Histories, { grant, path: `${contactsPath}/batch/read`, body });
    const history = answer.body.results[0]?.propertiesWithHistory ?? {};
    return Object.fromEntries(
      Object.entries(history).flatMap(([name, [latest, before]]) =>
        latest !== undefined &&
        latest.value === properties[name] &&
        before !== undefined &&
        isOthers({ name, latest, before })
          ? [[name, before.value] as const]
          : [],
      ),
    );
  }

  return {
    async ownerValue(grant, owner, { fields }) {
      if (fields.owner !== ownerProperty || owner === null) return ownerText(owner);
      const isSame = (one: CrmOwner) =>
        owner.email === "" ? one.name === owner.name : one.email.toLowerCase() === owner.email.toLowerCase();
      for (const [id, one] of await readOwners(grant)) if (isSame(one)) return id;
      return null;
    },
    find: findByEmail,
    create: (grant, lead, mapping) =>
      inPlainWords(async () => {
        const properties = { ...Object.fromEntries(valuesToWrite(mapping, lead)), email: lead.values.email };
        try {
          return (await api.ask(Contact, { grant, path: contactsPath, body: { properties } })).body.id;
        } catch (error) {
          const existing = error instanceof Conflict ? await findByEmail(grant, lead) : null;
          if (existing === null) throw error;
          return existing;
        }
      }),
    update: (grant, externalId, change, mapping) =>
      inPlainWords(async () => {
        const properties = Object.fromEntries(valuesToWrite(mapping, change));
        try {
          await patch(grant, externalId, properties);
          if (change.version === undefined) return "written";
          const sinceMs = Date.parse(change.version);
          const isOthers: Replacing["isOthers"] = ({ before }) => Date.parse(before.timestamp) > sinceMs;
          const replaced = await valuesReplaced(grant, { externalId, properties, isOthers });
          if (Object.keys(replaced).length === 0) return "written";
          await patch(grant, externalId, replaced);
          return "changed";
        } catch (error) {
          if (error instanceof NotFound) return "gone";
          throw error;
        }
      }),
    async putBack(grant, externalId, { values, known }, mapping) {
      const changed = Object.keys(known) as CrmWrittenField[];
      const properties = Object.fromEntries(valuesToWrite(mapping, { values, changed }));
      const former = valuesToWrite(mapping, { values: { ...values, ...known }, changed });
      const isOthers: Replacing["isOthers"] = ({ name, latest, before }) =>
        latest.sourceType === "INTEGRATION" && before.value !== former.get(name);
      const replaced = await valuesReplaced(grant, { externalId, properties, isOthers });
      if (Object.keys(replaced).length === 0) return false;
      await patch(grant, externalId, replaced);
      return true;
    },
  };
}

interface Replacing {
  externalId: string;
  properties: Record<string, string>;
  /** Whether someone else had set the version before. */
  isOthers(versions: { name: string; latest: Version; before: Version }): boolean;
}

async function inPlainWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Conflict)
      throw new CrmError("refused", "Another contact in HubSpot already has this email.", { cause: error });
    if (!(error instanceof Invalid)) throw error;
    throw new CrmError("refused", `HubSpot didn’t accept it: ${wordsOf(error)}`.slice(0, 300), { cause: error });
  }
}

/** The message ends with a list in JSON, if values were refused. */
function wordsOf({ detail }: Invalid): string {
  try {
    const refusals = Refusals.parse(JSON.parse(detail.slice(detail.indexOf("["))));
    return refusals.map(({ message }) => message).join(" ");
  } catch {
    return detail;
  }
}
