import { z } from "zod";

/** By server, spelled as in CarrierIdentity: the id of the organisation that has it alone, or "shared". */
export type CarrierOwners = ReadonlyMap<string, string>;

const entry = /^([^=]+)=(shared|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** Of `server=organisation id` and `server=shared`, separated by commas. */
export const CarrierOwnersSetting = z.string().transform((list, context): CarrierOwners => {
  const owners = new Map<string, string>();
  for (const each of list.toLowerCase().split(/[ ,]+/)) {
    const [, server, owner] = entry.exec(each) ?? [];
    if (server !== undefined && owner !== undefined) owners.set(server, owner);
    else if (each !== "")
      context.addIssue("must be servers, each with = and an organisation's id or shared, with commas between");
  }
  return owners;
});
