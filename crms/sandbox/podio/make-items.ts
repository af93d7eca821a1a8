import { makePeople, type Person } from "../make-people.ts";
import { leadFields, leadsAppId, stages } from "./apps.ts";
import type { Item } from "./store.ts";

const stageOf = { new: 0, contacted: 1, won: 2, lost: 3 } as const satisfies Record<Person["stage"], number>;

/** The workspace's contacts. A contact field's value is a whole profile. */
const contacts = [
  { value: { profile_id: 190_000_001, name: "Noor Blake", mail: ["noor.blake@sandbox.example"] } },
  { value: { profile_id: 190_000_002, name: "Sam Ortiz", mail: ["sam.ortiz@sandbox.example"] } },
];

export const makeItems = (nowMs: number): Item[] =>
  makePeople(nowMs).map((person, index) => {
    const { phone, mobilePhone } = person;
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
      [leadFields.responsible, contacts[index % (contacts.length + 1)] ?? null],
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
