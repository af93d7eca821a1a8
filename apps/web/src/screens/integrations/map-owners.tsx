import type { CrmOwner, CrmOwnerChoice } from "@leadline/contract/crm-owners";
import { maxCrmOwners } from "@leadline/contract/crm-owners";
import type { Member } from "@leadline/contract/members";
import { useQuery } from "@tanstack/react-query";
import { LoadFailed } from "../../components/load-failed.tsx";
import { crmOwnersQuery } from "../../data/integrations-query.ts";
import { mayOwnLeads } from "../../data/may-own-leads.ts";
import { membersQuery } from "../../data/members-query.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** By owner id, as in the select's value. */
export type OwnerChoices = Readonly<Record<string, string>>;

const byEmail = "email";
const noMember = "no-member";

const chosenOf = ({ mapsTo, userId }: CrmOwner): string => (mapsTo === "member" ? (userId ?? noMember) : mapsTo);

interface MapOwnersProps {
  integrationId: string;
  chosen: OwnerChoices;
  onChange: (chosen: OwnerChoices) => void;
}

/** Maps each owner in the CRM to a member. */
export function MapOwners({ integrationId, chosen, onChange }: MapOwnersProps) {
  const owners = useQuery(crmOwnersQuery(integrationId));
  const members = useQuery(membersQuery);
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-3 font-semibold">Owners</legend>
      {owners.data && members.data ? (
        owners.data.length === 0 ? (
          <p className="text-table text-ink-soft">Owners appear here after the first sync.</p>
        ) : (
          <>
            {owners.data.map((owner) => (
              <OwnerField
                key={owner.id}
                owner={owner}
                members={members.data}
                value={chosen[owner.id] ?? chosenOf(owner)}
                onValue={(value) => {
                  const { [owner.id]: _, ...others } = chosen;
                  onChange(value === chosenOf(owner) ? others : { ...others, [owner.id]: value });
                }}
              />
            ))}
            {owners.data.length === maxCrmOwners ? (
              <p className="text-table text-ink-soft">Showing the first {maxCrmOwners.toLocaleString()} owners.</p>
            ) : null}
          </>
        )
      ) : owners.isError || members.isError ? (
        <LoadFailed what="The owners" query={[owners, members]} />
      ) : (
        <div aria-busy="true">
          <output className="sr-only">Loading owners</output>
          <Skeleton className="h-9 w-full" />
        </div>
      )}
    </fieldset>
  );
}

interface OwnerFieldProps {
  owner: CrmOwner;
  members: readonly Member[];
  value: string;
  onValue: (value: string) => void;
}

function OwnerField({ owner, members, value, onValue }: OwnerFieldProps) {
  const name = (userId: string | null): string | undefined => {
    const member = members.find((one) => one.userId === userId);
    return member && `${member.firstName} ${member.lastName}`;
  };
  const isFormer = owner.userId !== null && name(owner.userId) === undefined;
  const offered = members.filter((one) => mayOwnLeads(one) || one.userId === owner.userId);
  const options = [
    { value: byEmail, label: `By email: ${name(owner.userIdByEmail) ?? "no match"}` },
    ...offered.map(({ userId }) => ({ value: userId, label: name(userId) ?? "" })),
    ...(isFormer && owner.userId !== null ? [{ value: owner.userId, label: "Former member" }] : []),
    { value: noMember, label: "No member" },
  ];
  return (
    <Field label={owner.name || owner.email} help={owner.name === "" ? undefined : owner.email || undefined}>
      {(control) => <Select {...control} options={options} value={value} onValueChange={onValue} />}
    </Field>
  );
}

/** The choices as sent to the server. */
export const ownerChoices = (chosen: OwnerChoices): CrmOwnerChoice[] =>
  Object.entries(chosen).map(([id, value]) =>
    value === byEmail || value === noMember ? { id, mapsTo: value } : { id, mapsTo: "member", userId: value },
  );
