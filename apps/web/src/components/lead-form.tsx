import { zodResolver } from "@hookform/resolvers/zod";
import { firstGivenDay, lastGivenDay } from "@leadline/contract/identifiers";
import { type Lead, LeadInput, LeadStatus, UpdateLeadInput } from "@leadline/contract/leads";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { Controller, type Resolver, useForm } from "react-hook-form";
import type { z } from "zod";
import { leadsWithNumberQuery } from "../data/leads-query.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { EmailInput, Input } from "../ui/input.tsx";
import { Notice } from "../ui/notice.tsx";
import { Select } from "../ui/select.tsx";
import { AskBeforeLeaving } from "./ask-before-leaving.tsx";
import { textLinkLook } from "./auth-card.tsx";
import { leadName } from "./lead-name.ts";
import { OwnerSelect } from "./owner-select.tsx";
import { focusFirstInvalid, showProblemInForm } from "./show-problem-in-form.ts";
import { type SavedState, savedStateOf, useReportedState } from "./use-ask-before-closing.tsx";
import { halfADay } from "./use-day-input.ts";

type LeadFields = z.output<typeof LeadInput>;
type LeadEntry = z.input<typeof LeadInput>;
type LeadChange = z.output<typeof UpdateLeadInput>;

interface NewLead {
  lead?: undefined;
  /** The initial phone number. */
  phone?: string;
  /** Throws if the server refuses. */
  onSave: (fields: LeadFields) => Promise<void>;
}
interface KnownLead {
  lead: Lead;
  phone?: undefined;
  /** Called with changed fields only: a CRM lead may lack what a new one must have. Throws if the server refuses. */
  onSave: (change: LeadChange) => Promise<void>;
}
type LeadFormProps = (NewLead | KnownLead) & {
  /** For a save button elsewhere. */
  id?: string;
  /** Without it, there is no button below the fields. */
  saveLabel?: string;
  /** Next to the save button. */
  cancel?: ReactNode;
  /** Called with whether the changes are saved. */
  onState?: (state: SavedState) => void;
};

const check: Resolver<LeadEntry> = zodResolver(LeadInput, undefined, { raw: true });

/** For a half-typed date the browser reports an empty value: only the field itself knows. */
const checkWithDay: typeof check = async (values, context, options) => {
  const checked = await check(values, context, options);
  const day = options.fields.followUpOn?.ref;
  if (!(day instanceof HTMLInputElement && day.validity.badInput)) return checked;
  return { values: {}, errors: { ...checked.errors, followUpOn: { type: "badInput", message: halfADay } } };
};

/** What a lead lacked before may stay empty. */
const checkChange =
  (before: LeadEntry): typeof check =>
  async (values, context, options) => {
    const checked = await checkWithDay(values, context, options);
    const isAnswered = ([field, error]: [string, { type?: unknown } | undefined]) =>
      error?.type === "badInput" || field in changeOf(before, values);
    const errors = Object.fromEntries(Object.entries(checked.errors).filter(isAnswered));
    return Object.keys(errors).length === 0 ? { values, errors: {} } : { values: {}, errors };
  };

const changeOf = (before: LeadEntry, values: LeadEntry): Partial<LeadEntry> => {
  const was = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(Object.entries(values).filter(([field, value]) => value !== was.get(field)));
};

const statuses = LeadStatus.options.map((status) => ({ value: status, label: status }));

export function LeadForm(props: LeadFormProps) {
  const { lead, phone: givenPhone = "", id, saveLabel, cancel, onState } = props;
  const [before] = useState<LeadEntry>({
    firstName: lead?.firstName ?? "",
    lastName: lead?.lastName ?? "",
    email: lead?.email ?? "",
    phone: lead?.phone ?? givenPhone,
    company: lead?.company ?? "",
    jobTitle: lead?.jobTitle ?? "",
    status: lead?.status ?? "New",
    ownerId: lead?.owner?.userId ?? null,
    nextStep: lead?.nextStep ?? "",
    followUpOn: lead?.followUpOn ?? null,
  });
  const form = useForm({
    shouldFocusError: false,
    resolver: lead ? checkChange(before) : checkWithDay,
    defaultValues: before,
  });
  const { errors, isSubmitting } = form.formState;
  const state = savedStateOf(form.formState);
  useReportedState(state, onState);
  const [checkedPhone, setCheckedPhone] = useState(givenPhone);
  const phone = form.register("phone", {
    onBlur: (event: { target: HTMLInputElement }) => setCheckedPhone(event.target.value),
  });

  const submit = form.handleSubmit(async (values, event) => {
    try {
      if (props.lead) await props.onSave(UpdateLeadInput.parse(changeOf(before, values)));
      else await props.onSave(LeadInput.parse(values));
    } catch (error) {
      showProblemInForm(form, error, {
        event,
        fields: [
          "firstName",
          "lastName",
          "email",
          "phone",
          "company",
          "jobTitle",
          "status",
          "ownerId",
          "nextStep",
          "followUpOn",
        ],
      });
    }
  }, focusFirstInvalid);

  return (
    <form id={id} noValidate onSubmit={(event) => void submit(event)} className="flex max-w-[440px] flex-col gap-5">
      <AskBeforeLeaving unsaved={state !== "saved"} />
      {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
      <Field label="First name" message={errors.firstName?.message}>
        {(control) => <Input autoComplete="off" {...control} {...form.register("firstName")} />}
      </Field>
      <Field label="Last name" message={errors.lastName?.message}>
        {(control) => <Input autoComplete="off" {...control} {...form.register("lastName")} />}
      </Field>
      <Field label="Email" message={errors.email?.message}>
        {(control) => <EmailInput autoComplete="off" {...control} {...form.register("email")} />}
      </Field>
      <Field label="Phone" help={<SameNumber phone={checkedPhone} except={lead?.id} />} message={errors.phone?.message}>
        {(control) => <Input type="tel" autoComplete="off" {...control} {...phone} />}
      </Field>
      <Field label="Company" optional message={errors.company?.message}>
        {(control) => <Input autoComplete="off" {...control} {...form.register("company")} />}
      </Field>
      <Field label="Job title" optional message={errors.jobTitle?.message}>
        {(control) => <Input autoComplete="off" {...control} {...form.register("jobTitle")} />}
      </Field>
      <Field label="Status" message={errors.status?.message}>
        {(control) => (
          <Controller
            control={form.control}
            name="status"
            render={({ field }) => (
              <Select options={statuses} value={field.value} onValueChange={field.onChange} {...control} />
            )}
          />
        )}
      </Field>
      <Controller
        control={form.control}
        name="ownerId"
        render={({ field }) => (
          <OwnerField owner={lead?.owner ?? null} onOwner={field.onChange} message={errors.ownerId?.message} />
        )}
      />
      <Field label="Next step" optional message={errors.nextStep?.message}>
        {(control) => <Input autoComplete="off" {...control} {...form.register("nextStep")} />}
      </Field>
      <Field label="Call back on" optional message={errors.followUpOn?.message}>
        {(control) => (
          <Input
            type="date"
            min={firstGivenDay}
            max={lastGivenDay}
            {...control}
            {...form.register("followUpOn", { setValueAs: (day: string | null) => day || null })}
            // Clearing a half-typed day doesn't change the form. On blur, the button would move away from under the
            // pointer.
            onKeyUp={() => errors.followUpOn && void form.trigger("followUpOn")}
          />
        )}
      </Field>
      {saveLabel ? (
        <div className="flex gap-2 pt-1">
          <Button type="submit" busy={isSubmitting}>
            {saveLabel}
          </Button>
          {cancel}
        </div>
      ) : null}
    </form>
  );
}

interface OwnerFieldProps {
  /** The initial owner. */
  owner: Lead["owner"];
  onOwner: (userId: string | null) => void;
  message: string | undefined;
}

function OwnerField({ owner: before, onOwner, message }: OwnerFieldProps) {
  const [owner, setOwner] = useState(before);
  return (
    <Field label="Owner" message={message}>
      {(control) => (
        <OwnerSelect
          owner={owner}
          onOwner={(chosen) => {
            setOwner(chosen);
            onOwner(chosen?.userId ?? null);
          }}
          {...control}
        />
      )}
    </Field>
  );
}

/** Leads that already have the number; it can be entered again. */
function SameNumber({ phone, except }: { phone: string; except: string | undefined }) {
  const found = useQuery({ ...leadsWithNumberQuery(phone), enabled: phone.trim().length >= 8 }).data ?? [];
  const others = found.filter((lead) => lead.id !== except);
  if (others.length === 0) return "With its country, such as +1 202 555 0100.";
  return (
    <output>
      {others.map((lead, index) => (
        <span key={lead.id}>
          {index > 0 ? ", " : null}
          <Link to="/leads/$leadId" params={{ leadId: lead.id }} className={textLinkLook}>
            {leadName(lead)}
          </Link>
        </span>
      ))}
      {others.length === 1 ? " has this number already." : " have this number already."}
    </output>
  );
}
