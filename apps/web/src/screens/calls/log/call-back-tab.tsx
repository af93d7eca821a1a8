import { type FollowUp, setFollowUp } from "@leadline/contract/follow-ups";
import { updateLead } from "@leadline/contract/leads";
import { useMutation, type UseMutationResult, useQuery } from "@tanstack/react-query";
import { CalendarClock, Check } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import type { z } from "zod";
import { FollowUpRow, followUpName } from "../../../components/follow-up-row.tsx";
import { formatPhoneNumber } from "../../../components/format-phone-number.ts";
import { LoadFailed } from "../../../components/load-failed.tsx";
import { useReadsOnly } from "../../../components/use-own-role.ts";
import { useNoticeAfterLeaving } from "../../../components/use-notice-after-leaving.ts";
import { request } from "../../../data/api-client.ts";
import { followUpsQuery } from "../../../data/follow-ups-query.ts";
import { leadsKey } from "../../../data/leads-query.ts";
import { problemDetail } from "../../../data/problem-error.ts";
import { queryClient } from "../../../data/query-client.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ItemNote } from "../../../ui/row-note.tsx";
import { Select } from "../../../ui/select.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";

const nameOf = (followUp: FollowUp): string =>
  followUpName(followUp, followUp.phoneNumber === null ? "" : formatPhoneNumber(followUp.phoneNumber));

const everyone = "everyone";
const whose = [
  { value: everyone, label: "Everyone’s callbacks" },
  { value: "me", label: "My callbacks" },
];

/** The most that one response contains. */
const most = 200;

/** All callbacks, the most overdue first. */
export function CallBackTab({ onCall }: { onCall?: (() => void) | undefined }) {
  const [owner, setOwner] = useState<"me">();
  const onError = useNoticeAfterLeaving();
  const finishing = useMutation({
    onMutate: (): void => undoing.reset(),
    mutationFn: (followUp: FollowUp) => save(followUp, { followUpOn: null }),
    onError,
    onSuccess: async (_, followUp) => {
      await queryClient.invalidateQueries({ queryKey: leadsKey });
      toast.success(`Marked ${nameOf(followUp)} as done.`, {
        action: { label: "Undo", onClick: () => undoing.mutate(followUp) },
      });
    },
  });
  const undoing = useMutation({
    onMutate: (): void => finishing.reset(),
    mutationFn: ({ followUpOn, followUpTime, followUpOwner, ...followUp }: FollowUp) =>
      save(followUp, { followUpOn, followUpTime, followUpOwnerId: followUpOwner?.userId ?? null, putBack: true }),
    onError,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: leadsKey }),
  });
  return (
    <>
      {undoing.isError ? <Notice className="mb-3">{problemDetail(undoing.error)}</Notice> : null}
      <Select
        aria-label="Whose callbacks"
        options={whose}
        value={owner ?? everyone}
        onValueChange={(value) => setOwner(value === "me" ? "me" : undefined)}
        className="mb-3 w-48"
      />
      <FollowUps owner={owner} finishing={finishing} onCall={onCall} />
    </>
  );
}

interface FollowUpsProps {
  owner: "me" | undefined;
  finishing: UseMutationResult<void, Error, FollowUp>;
  onCall: (() => void) | undefined;
}

function FollowUps({ owner, finishing, onCall }: FollowUpsProps) {
  const readsOnly = useReadsOnly();
  const followUps = useQuery(followUpsQuery({ limit: most, ...(owner && { owner }) }));
  if (followUps.isPending)
    return (
      <div aria-busy="true" className="rounded-md border border-line bg-panel">
        <output className="sr-only">Loading callbacks</output>
        {["w-36", "w-28", "w-40"].map((width) => (
          <div key={width} className="flex h-14 items-center border-b border-line px-4 last:border-b-0">
            <Skeleton className={width} />
          </div>
        ))}
      </div>
    );
  if (!followUps.data) return <LoadFailed what="The callback list" query={followUps} />;
  if (followUps.data.length === 0)
    return (
      <EmptyState
        picture={<CalendarClock className="size-6" aria-hidden="true" />}
        title={owner ? "You have no callbacks" : "No callbacks due"}
      >
        Set a callback day during or after a call. Callbacks appear here when they’re due, most overdue first.
      </EmptyState>
    );
  return (
    <>
      <ul aria-label="To call back" className="rounded-md border border-line bg-panel">
        {followUps.data.map((followUp) => (
          <li
            key={keyOf(followUp)}
            className="flex min-h-14 flex-wrap items-center gap-x-2 border-b border-line py-1.5 pr-2 pl-4 last:border-b-0"
          >
            <FollowUpRow followUp={followUp} {...(onCall && { onCall })}>
              {readsOnly ? null : (
                <IconButton
                  label={`Mark ${nameOf(followUp)} as done`}
                  size="small"
                  disabled={finishing.isPending}
                  onClick={() => finishing.mutate(followUp)}
                >
                  <Check />
                </IconButton>
              )}
            </FollowUpRow>
            {finishing.isError && keyOf(finishing.variables) === keyOf(followUp) ? (
              <ItemNote>{problemDetail(finishing.error)}</ItemNote>
            ) : null}
          </li>
        ))}
      </ul>
      {followUps.data.length === most ? (
        <p className="mt-3 text-center text-table text-ink-soft">
          Showing the first {most}. More appear as you complete these.
        </p>
      ) : null}
    </>
  );
}

const keyOf = ({ lead, phoneNumber }: FollowUp): string | null => lead?.id ?? phoneNumber;

/** Where the callback is stored: with the lead, or with a number that belongs to no lead or several. */
async function save(
  { lead, phoneNumber }: Pick<FollowUp, "lead" | "phoneNumber">,
  body: z.input<typeof setFollowUp.body>,
): Promise<void> {
  if (lead) await request(updateLead, { params: { id: lead.id }, body });
  else if (phoneNumber !== null) await request(setFollowUp, { params: { phoneNumber }, body });
}
