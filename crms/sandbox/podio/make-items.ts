import { makePeople, nextSteps, type Person } from "../make-people.ts";
import { contacts } from "./contacts.ts";
import { leadFields, leadsAppId, stages } from "./apps.ts";
import type { Item } from "./store.ts";

const stageOf = { new: 0, contacted: 1, won: 2, lost: 3 } as const satisfies Record<Person["stage"], number>;

export const makeItems = (nowMs: number): Item[] =>
  makePeople(nowMs).map((person, index) => {
    const { phone, mobilePhone } = person;
    const nextStep = nextSteps[index % (nextSteps.length + 1)];
    const given: [number, Record<string, unknown> | null][] = [
      [leadFields.firstName, person.firstName === null ? null : { value: person.firstName }],
      [leadFields.lastName, { value: person.lastName }],
      [leadFields.company, { value: person.company }],
      [leadFields.jobTitle, { value: person.title }],
      [leadFields.email, person.email === null ? null : { type: "work", value: person.email }],
      [
        leadFields.phone,
        phone === null ? { type: "mobile", value: mobilePhone ?? "" } : { type: "work", value: phone },
      ],
      [leadFields.responsible, contacts.slice(0, 2)[index % 3] ?? null],
      [leadFields.nextStep, nextStep === undefined ? null : { value: nextStep }],
      [leadFields.stage, { value: stages[stageOf[person.stage]] }],
    ];
    const values = Object.fromEntries(given.flatMap(([id, value]) => (value === null ? [] : [[String(id), [value]]])));
    return {
      itemId: 2_800_000_001 + index,
      appId: leadsAppId,
      externalId: null,
      values,
      revision: 0,
      createdMs: person.createdMs,
      editedMs: person.createdMs,
    };
  });
