import { CrmError, type CrmGrant, type CrmLeadWriter, type NewCrmLead } from "@leadline/adapter-kit/crm";
import { valuesToWrite } from "@leadline/adapter-kit/values-to-write";
import { z } from "zod";
import { type Api, Conflict, Invalid, NotFound } from "./api.ts";

const contactsPath = "/crm/v3/objects/contacts";
const Id = z.string().regex(/^\d{1,20}$/);
const Contact = z.object({ id: Id });
/** Part of an error's message: one entry for each value that was refused. */
const Refusals = z.array(z.object({ message: z.string() })).min(1);

/** HubSpot identifies a contact by its email, and refuses a second one with the same: that is how one is found again. */
export function createLeadWriter(api: Api): CrmLeadWriter {
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

  return {
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
        const path = `${contactsPath}/${Id.parse(externalId)}`;
        try {
          await api.ask(Contact, { grant, path, method: "PATCH", body: { properties } });
          return true;
        } catch (error) {
          if (error instanceof NotFound) return false;
          throw error;
        }
      }),
  };
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
