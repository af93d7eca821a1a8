import type { FollowUpFields } from "@leadline/contract/follow-up-fields";
import { type Lead, LeadStatus, updateLead } from "@leadline/contract/leads";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { textLinkLook } from "../../components/auth-card.tsx";
import { CopyableId } from "../../components/copyable-id.tsx";
import { DoNotCallBadge } from "../../components/do-not-call-badge.tsx";
import { FollowUpDetails } from "../../components/call-notes/follow-up-details.tsx";
import { FollowUpLabel } from "../../components/follow-up-label.tsx";
import { formatPhoneNumber } from "../../components/format-phone-number.ts";
import { formatFullTime, formatWhen } from "../../components/format-time.ts";
import { OwnerSelect } from "../../components/owner-select.tsx";
import { useReadsOnly } from "../../components/use-own-role.ts";
import { useToday } from "../../components/use-day.ts";
import { useDayInput } from "../../components/use-day-input.ts";
import { useNow } from "../../components/use-now.ts";
import { request } from "../../data/api-client.ts";
import { leadQuery, leadsKey } from "../../data/leads-query.ts";
import { problemDetail } from "../../data/problem-error.ts";
import { queryClient } from "../../data/query-client.ts";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";

const statuses = LeadStatus.options.map((status) => ({ value: status, label: status }));

/** Fields that change from call to call, edited in place and saved immediately. */
export function LeadDetails({ lead }: { lead: Lead }) {
  const now = useNow();
  const readsOnly = useReadsOnly();
  const query = leadQuery(lead.id);
  const changing = useMutation({
    mutationFn: (change: Partial<Pick<Lead, "status" | "owner" | "nextStep" | keyof FollowUpFields>>) => {
      const { owner, followUpOwner, ...rest } = change;
      const body = {
        ...rest,
        ...(owner === undefined ? {} : { ownerId: owner?.userId ?? null }),
        ...(followUpOwner === undefined ? {} : { followUpOwnerId: followUpOwner?.userId ?? null }),
      };
      // Completes even if the page is closed.
      return request(updateLead, { params: { id: lead.id }, body }, { keepalive: true });
    },
    onMutate(change) {
      queryClient.setQueryData(query.queryKey, { ...lead, ...change });
      return { before: lead };
    },
    onSuccess: (changed) => queryClient.setQueryData(query.queryKey, changed),
    onError: (_error, _change, context) => queryClient.setQueryData(query.queryKey, context?.before),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...leadsKey, "list"] }),
  });
  return (
    <section aria-label="Details" className="rounded-md border border-line bg-panel p-5">
      <dl className="flex flex-col gap-4">
        <Company lead={lead} />
        <Phone lead={lead} />
        <Detail term="Email">
          {lead.email === "" ? (
            <None />
          ) : (
            <a href={`mailto:${lead.email}`} className={`${textLinkLook} break-all`}>
              {lead.email}
            </a>
          )}
        </Detail>
        <Detail term="Status">
          <Select
            aria-label="Status"
            disabled={readsOnly}
            options={statuses}
            value={lead.status}
            onValueChange={(value) => {
              const status = LeadStatus.options.find((option) => option === value);
              if (status && status !== lead.status) changing.mutate({ status });
            }}
          />
        </Detail>
        <Detail term="Owner">
          <OwnerSelect
            aria-label="Owner"
            disabled={readsOnly}
            owner={lead.owner}
            onOwner={(owner) => changing.mutate({ owner })}
          />
        </Detail>
        <Detail term="Last call">
          {lead.lastCalledAt === null ? (
            <span className="text-sm text-ink-soft">Never</span>
          ) : (
            <time dateTime={lead.lastCalledAt} title={formatFullTime(lead.lastCalledAt)} className="text-sm">
              {formatWhen(lead.lastCalledAt, now)}
            </time>
          )}
        </Detail>
        <Detail term="Next step">
          <NextStepField
            key={lead.nextStep}
            disabled={readsOnly}
            nextStep={lead.nextStep}
            onNextStep={(nextStep) => changing.mutate({ nextStep })}
          />
        </Detail>
        <Detail term="Call back on">
          <FollowUp lead={lead} disabled={readsOnly} onChange={changing.mutate} />
        </Detail>
        <CustomFields fields={lead.customFields} />
        {changing.isError ? (
          <p role="alert" className="text-table text-fault">
            {problemDetail(changing.error)}
          </p>
        ) : null}
        <Detail term="Added">
          <time dateTime={lead.createdAt} title={formatFullTime(lead.createdAt)} className="text-sm">
            {formatWhen(lead.createdAt, now)}
          </time>
          {lead.integrationId ? <span className="block text-xs text-ink-soft">Synced from your CRM</span> : null}
        </Detail>
        <Detail term="ID">
          <CopyableId id={lead.id} />
        </Detail>
      </dl>
    </section>
  );
}

interface FollowUpProps {
  lead: Lead;
  disabled: boolean;
  onChange: (change: Partial<FollowUpFields>) => void;
}

function FollowUp({ lead, disabled, onChange }: FollowUpProps) {
  const today = useToday();
  return (
    <>
      <DayField
        disabled={disabled}
        day={lead.followUpOn}
        min={today}
        onDay={(followUpOn) => onChange({ followUpOn })}
      />
      {lead.followUpOn === null ? null : (
        <>
          <FollowUpLabel followUp={lead} className="mt-1 block text-xs" />
          {disabled ? null : (
            // The labels look like the terms around them.
            <div className="mt-3 flex flex-col gap-3 [&_label]:text-xs [&_label]:font-normal [&_label]:text-ink-soft">
              <FollowUpDetails followUp={lead} onChange={onChange} />
            </div>
          )}
        </>
      )}
    </>
  );
}

interface NextStepFieldProps {
  nextStep: string;
  disabled: boolean;
  onNextStep: (nextStep: string) => void;
}

/** Saved on blur and on Enter. */
function NextStepField({ nextStep, disabled, onNextStep }: NextStepFieldProps) {
  const [text, setText] = useState(nextStep);
  const save = () => {
    if (text.trim() !== nextStep) onNextStep(text.trim());
  };
  return (
    <Input
      aria-label="Next step"
      disabled={disabled}
      placeholder="Send the quote"
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => event.key === "Enter" && save()}
    />
  );
}

interface DayFieldProps {
  day: string | null;
  min: string;
  disabled: boolean;
  onDay: (day: string | null) => void;
}

function DayField({ disabled, ...options }: DayFieldProps) {
  const { input, problem } = useDayInput(options);
  return (
    <>
      <Input {...input} disabled={disabled} aria-label="Call back on" aria-invalid={problem ? true : undefined} />
      {problem ? (
        <span role="alert" className="mt-1 block text-table text-fault">
          {problem}
        </span>
      ) : null}
    </>
  );
}

function Company({ lead: { company, jobTitle } }: { lead: Lead }) {
  if (company === "" && jobTitle === "") return null;
  return (
    <Detail term="Company">
      <span dir="auto" className="block text-sm break-words">
        {company || <None />}
      </span>
      {jobTitle === "" ? null : (
        <span dir="auto" className="block text-xs break-words text-ink-soft">
          {jobTitle}
        </span>
      )}
    </Detail>
  );
}

const Phone = ({ lead }: { lead: Lead }) => (
  <Detail term="Phone">
    <span className="text-sm tabular-nums">
      {lead.phoneNumber ? formatPhoneNumber(lead.phoneNumber) : lead.phone || <None />}
    </span>
    {lead.phoneNumber ? (
      <span className="ml-2">
        <DoNotCallBadge phoneNumber={lead.phoneNumber} />
      </span>
    ) : null}
    {lead.phone !== "" && lead.phoneNumber === null ? (
      <span className="block text-xs text-ink-soft">Not a valid phone number</span>
    ) : null}
  </Detail>
);

const CustomFields = ({ fields }: { fields: Lead["customFields"] }) =>
  fields.map(({ name, value }) => (
    <Detail key={name} term={name}>
      <span dir="auto" className="block text-sm break-words whitespace-pre-line">
        {value}
      </span>
    </Detail>
  ));

function Detail({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <dt className="text-xs text-ink-soft">{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const None = () => <span className="text-ink-soft">–</span>;
