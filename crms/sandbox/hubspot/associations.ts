import { json, type SandboxResponse } from "../exchange.ts";
import { notFound } from "./errors.ts";
import type { State, Store } from "./store.ts";

/** The vendor's ids of the default labels. */
export const associationTypes = { callToContact: 194, contactToCall: 193 } as const;

export function associate(state: State, { callId, contactId }: { callId: string; contactId: string }): void {
  const [call, contact] = [`calls/${callId}`, `contacts/${contactId}`];
  if (state.associations.some(({ from, to }) => from === call && to === contact)) return;
  state.associations.push({ from: call, to: contact, typeId: associationTypes.callToContact });
  state.associations.push({ from: contact, to: call, typeId: associationTypes.contactToCall });
}

/** /crm/v4/objects/…/associations: the default label between a call and a contact, and the associated objects. */
export function createAssociations(store: Store) {
  const { state } = store;
  const exists = (type: string, id: string): boolean =>
    (type === "contacts" || type === "calls") && state[type].some((one) => one.id === id && one.archivedMs === null);

  function put(from: readonly [string, string], to: readonly [string, string]): SandboxResponse {
    const ids = Object.fromEntries([from, to]);
    const { calls: callId, contacts: contactId } = ids;
    if (callId === undefined || contactId === undefined || !exists(...from) || !exists(...to)) return notFound();
    associate(state, { callId, contactId });
    store.save();
    const at = new Date().toISOString();
    const [call, contact] = [{ id: callId }, { id: contactId }];
    const spec = (associationTypeId: number) => ({ associationCategory: "HUBSPOT_DEFINED", associationTypeId });
    const results = [
      { from: call, to: contact, associationSpec: spec(associationTypes.callToContact) },
      { from: contact, to: call, associationSpec: spec(associationTypes.contactToCall) },
    ];
    return json(200, { status: "COMPLETE", results, startedAt: at, completedAt: at });
  }

  function list(from: string, toType: string): SandboxResponse {
    const found = state.associations.filter((one) => one.from === from && one.to.startsWith(`${toType}/`));
    return json(200, {
      results: found.map(({ to, typeId }) => ({
        toObjectId: Number(to.split("/")[1]),
        associationTypes: [{ category: "HUBSPOT_DEFINED", typeId, label: null }],
      })),
    });
  }

  return ({ method, path }: { method: string; path: string }): SandboxResponse | null => {
    const [, type = "", id = "", rest = ""] = /^\/crm\/v4\/objects\/(\w+)\/(\d+)\/associations\/(.+)$/.exec(path) ?? [];
    const [, toType = "", toId = ""] = /^default\/(\w+)\/(\d+)$/.exec(rest) ?? [];
    if (method === "PUT" && toId !== "") return put([type, id], [toType, toId]);
    if (method === "GET" && /^\w+$/.test(rest)) return exists(type, id) ? list(`${type}/${id}`, rest) : notFound();
    return null;
  };
}
