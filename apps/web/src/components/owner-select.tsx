import type { Lead } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { mayOwnLeads } from "../data/may-own-leads.ts";
import { membersQuery } from "../data/members-query.ts";
import { Select } from "../ui/select.tsx";

const nobody = "nobody";
const outsider = "outsider";

interface OwnerSelectProps {
  owner: Lead["owner"];
  onOwner: (owner: Lead["owner"]) => void;
  disabled?: boolean;
  id?: string;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
}

/** A member of the organisation who isn't an analyst, or no one. Another owner is shown, and can be replaced. */
export function OwnerSelect({ owner, onOwner, ...control }: OwnerSelectProps) {
  const members = useQuery(membersQuery).data ?? [];
  const options = members.filter(mayOwnLeads).map(({ userId, firstName, lastName }) => ({
    value: userId,
    label: `${firstName} ${lastName}`,
  }));
  const isMember = options.some(({ value }) => value === owner?.userId);
  const value = owner === null ? nobody : isMember && owner.userId !== null ? owner.userId : outsider;
  return (
    <Select
      options={[
        { value: nobody, label: "Unassigned" },
        ...(value === outsider ? [{ value: outsider, label: owner?.name }] : []),
        ...options,
      ]}
      value={value}
      onValueChange={(chosen) => {
        if (chosen === value) return;
        const member = options.find((option) => option.value === chosen);
        onOwner(member ? { userId: member.value, name: member.label } : null);
      }}
      {...control}
    />
  );
}
