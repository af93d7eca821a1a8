import { type CallerIds, changeLocalPresence, chooseDefaultCallerId } from "@leadline/contract/caller-ids";
import { useMutation, useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { may } from "../../components/may.ts";
import { SettingsPart } from "../../components/settings-part.tsx";
import { useOwnRole } from "../../components/use-own-role.ts";
import { request } from "../../data/api-client.ts";
import { callerIdsQuery } from "../../data/caller-ids-query.ts";
import { phoneNumbersKey } from "../../data/phone-numbers-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";

const ofOrganisation = "organisation";

/** The user's default, and local presence; nothing while there is only one number to show. */
export function CallerIdSettings() {
  const known = useQuery({ ...callerIdsQuery(null), refetchOnMount: "always" }).data;
  const hasChoice = known && (known.numbers.length > 1 || known.memberDefault !== null || known.localPresence);
  return hasChoice ? <Settings known={known} /> : null;
}

function Settings({ known }: { known: CallerIds }) {
  const mayChange = may(useOwnRole(), changeLocalPresence);
  const onSuccess = async (saved: CallerIds) => {
    queryClient.setQueryData(callerIdsQuery(null).queryKey, saved);
    toast.success("Caller ID saved.");
    await queryClient.invalidateQueries({ queryKey: phoneNumbersKey });
  };
  const ownDefault = useMutation({
    mutationFn: (number: string | null) => request(chooseDefaultCallerId, { body: { number } }),
    onSuccess,
  });
  const local = useMutation({
    mutationFn: (enabled: boolean) => request(changeLocalPresence, { body: { enabled } }),
    onSuccess,
  });
  const { numbers, memberDefault, localPresence } = known;
  const isUnused = memberDefault !== null && !numbers.some(({ number }) => number === memberDefault);
  const failure = ownDefault.error ?? local.error;
  return (
    <SettingsPart
      title="Caller ID"
      lead="The number that people you call see. You can choose another one on the dial pad for each call."
    >
      {failure ? <Notice>{problemDetail(failure)}</Notice> : null}
      <Field
        label="Your calls show"
        message={isUnused ? `Your current carrier can’t show ${formatPhoneNumber(memberDefault)}.` : undefined}
        help="Applies to you only."
      >
        {(control) => (
          <Select
            {...control}
            value={memberDefault ?? ofOrganisation}
            disabled={ownDefault.isPending}
            onValueChange={(value) => ownDefault.mutate(value === ofOrganisation ? null : value)}
            options={[
              { value: ofOrganisation, label: "Your organisation’s caller ID" },
              ...(isUnused ? [{ value: memberDefault, label: formatPhoneNumber(memberDefault) }] : []),
              ...numbers.map(({ number, label }) => ({
                value: number,
                label: label === null ? formatPhoneNumber(number) : `${formatPhoneNumber(number)} · ${label}`,
              })),
            ]}
          />
        )}
      </Field>
      <div>
        <Checkbox
          label="Show a local number if there is one"
          checked={localPresence}
          disabled={!mayChange || local.isPending}
          onChange={(enabled) => local.mutate(enabled)}
        />
        <p className="mt-1 text-table text-pretty text-ink-soft">
          Everyone’s calls show a number with the callee’s area code, even instead of their own default.
          {mayChange ? null : " Only an admin or owner can change this."}
        </p>
      </div>
    </SettingsPart>
  );
}
