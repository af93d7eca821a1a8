import { makePeople, nextSteps, type Person } from "../make-people.ts";
import { lifecycleStages } from "./properties.ts";
import { owners } from "./owners.ts";
import type { CrmObject } from "./store.ts";

const leadStatuses = {
  new: "NEW",
  contacted: "IN_PROGRESS",
  lost: "UNQUALIFIED",
  won: "CONNECTED",
} as const satisfies Record<Person["stage"], string>;

export const makeContacts = (nowMs: number): CrmObject[] =>
  makePeople(nowMs).map((person, index) => {
    const { createdMs } = person;
    const id = String(10_001 + index);
    const at = new Date(createdMs).toISOString();
    const given = {
      firstname: person.firstName,
      lastname: person.lastName,
      company: person.company,
      jobtitle: person.title,
      email: person.email,
      phone: person.phone,
      mobilephone: person.mobilePhone,
      hs_lead_status: leadStatuses[person.stage],
      // Some contacts have no lifecycle stage.
      lifecyclestage: lifecycleStages[index % (lifecycleStages.length + 1)]?.[0] ?? null,
      budget: index % 4 === 3 ? null : String(1_000 * (1 + (index % 25))),
      next_step: nextSteps[index % (nextSteps.length + 1)] ?? null,
      hubspot_owner_id: owners[index % (owners.length + 1)]?.id ?? null,
    };
    const set = Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
    const properties = { ...Object.fromEntries(set), hs_object_id: id, createdate: at, lastmodifieddate: at };
    return { id, properties, history: {}, createdMs, updatedMs: createdMs, archivedMs: null };
  });
