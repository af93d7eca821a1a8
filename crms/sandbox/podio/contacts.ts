import { json, type SandboxResponse } from "../exchange.ts";
import { hasSpace } from "./apps.ts";
import { notFound } from "./errors.ts";

/** The workspaces' members. A contact field's value is a whole profile. */
export const contacts = [
  { value: { profile_id: 190_000_001, name: "Noor Blake", mail: ["noor.blake@sandbox.example"] } },
  { value: { profile_id: 190_000_002, name: "Sam Ortiz", mail: ["sam.ortiz@sandbox.example"] } },
  { value: { profile_id: 190_000_003, name: "Ida Holm", mail: ["ida.holm@sandbox.example"] } },
];

export const profileOf = (id: unknown) => contacts.find(({ value }) => value.profile_id === id)?.value;

/** The contacts of a workspace. */
export function listContacts({ method, path }: { method: string; path: string }): SandboxResponse | null {
  const spaceId = /^\/contact\/space\/(\d+)\/$/.exec(path)?.[1];
  if (spaceId === undefined || method !== "GET") return null;
  if (!hasSpace(Number(spaceId))) return notFound();
  return json(
    200,
    contacts.map(({ value }) => value),
  );
}
