import { zodResolver } from "@hookform/resolvers/zod";
import { type Organisation, updateOrganisation, UpdateOrganisationInput } from "@leadline/contract/organisations";
import { useState } from "react";
import { type Control, Controller, useForm } from "react-hook-form";
import { toast } from "sonner";
import type { z } from "zod";
import { request } from "../data/api-client.ts";
import { meQuery } from "../data/me-query.ts";
import { organisationsQuery } from "../data/organisations-query.ts";
import { queryClient } from "../data/query-client.ts";
import { Combobox } from "../ui/combobox.tsx";
import { Field } from "../ui/field.tsx";
import { SaveChanges, SettingsForm } from "./settings-form.tsx";
import { countryOptions } from "./country-options.ts";
import { OpeningHoursField } from "./opening-hours-field.tsx";
import { OrganisationBasics } from "./organisation-basics.tsx";
import { focusFirstInvalid, showProblemInForm } from "./show-problem-in-form.ts";
import { timeZoneOptions } from "./time-zone-options.ts";
import { isAdmin } from "./use-own-role.ts";

const fields = [
  "name",
  "description",
  "website",
  "timeZone",
  "defaultCountry",
  "openingHours",
  "callingHours",
] as const;

/** All of an organisation's settings; read-only for a member. */
export function OrganisationForm({ organisation }: { organisation: Organisation }) {
  const mayChange = isAdmin(organisation.role);
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(UpdateOrganisationInput),
    disabled: !mayChange,
    values: {
      name: organisation.name,
      description: organisation.description ?? "",
      website: organisation.website ?? "",
      timeZone: organisation.timeZone,
      defaultCountry: organisation.defaultCountry,
      openingHours: organisation.openingHours,
      callingHours: organisation.callingHours,
    },
    // Another member's change must not overwrite unsaved changes, or make them look saved.
    resetOptions: { keepDirtyValues: true, keepDirty: true },
  });
  const { errors } = form.formState;
  const [zones] = useState(() => timeZoneOptions(new Date()));

  const submit = form.handleSubmit(async (change, event) => {
    try {
      const changed = await request(updateOrganisation, { params: { id: organisation.id }, body: change });
      form.reset({ ...changed, description: changed.description ?? "", website: changed.website ?? "" });
      toast.success(`${changed.name} saved.`);
      void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: organisationsQuery.queryKey });
    } catch (error) {
      showProblemInForm(form, error, { event, fields });
    }
  }, focusFirstInvalid);

  return (
    <SettingsForm
      state={form.formState}
      onSubmit={submit}
      whoMayChange={mayChange ? null : `Only an admin or owner of ${organisation.name} can change this.`}
    >
      <OrganisationBasics register={form.register} errors={errors} />
      <Field
        label="Time zone"
        help="Used for opening hours and the daily spending limit."
        message={errors.timeZone?.message}
      >
        {(control) => (
          <Controller
            control={form.control}
            name="timeZone"
            render={({ field }) => (
              <Combobox
                {...control}
                options={zones}
                value={field.value ?? ""}
                onValueChange={field.onChange}
                placeholder={field.value ?? ""}
                searchLabel="Search time zones"
                disabled={!mayChange}
              />
            )}
          />
        )}
      </Field>
      <Field
        label="Default country"
        help="Assumed for numbers entered without a country code."
        message={errors.defaultCountry?.message}
      >
        {(control) => (
          <Controller
            control={form.control}
            name="defaultCountry"
            render={({ field }) => (
              <Combobox
                {...control}
                options={countryOptions}
                value={field.value ?? ""}
                onValueChange={field.onChange}
                searchLabel="Search countries"
                disabled={!mayChange}
              />
            )}
          />
        )}
      </Field>
      <Hours control={form.control} disabled={!mayChange} />
      {mayChange ? <SaveChanges state={form.formState} /> : null}
    </SettingsForm>
  );
}

const hours = [
  {
    name: "openingHours",
    label: "Opening hours",
    help: [
      "No days selected, so you’re always open. Leadline never asks before placing a call, and inbound calls ring at any time.",
      "In your organisation’s time zone. Outside these hours, Leadline asks before placing a call, and voicemail, if on, takes inbound calls without ringing. With no days selected, you’re always open.",
    ],
  },
  {
    name: "callingHours",
    label: "Calling hours",
    help: [
      "No days selected, so people may be called at any time of their day.",
      "In the callee’s time zone, which Leadline takes from the number. If a number may be in several time zones, it must be within these hours in all of them. Outside them, a call takes a reason, which is shown in the call log. Freephone numbers can be called at any time.",
    ],
  },
] as const;

function Hours({
  control,
  disabled,
}: {
  control: Control<z.input<typeof UpdateOrganisationInput>, unknown, z.output<typeof UpdateOrganisationInput>>;
  disabled: boolean;
}) {
  return hours.map(({ name, label, help }) => (
    <Controller
      key={name}
      control={control}
      name={name}
      render={({ field, fieldState }) => (
        <OpeningHoursField
          label={label}
          help={help}
          value={field.value ?? []}
          onChange={field.onChange}
          disabled={disabled}
          message={firstMessage(fieldState.error)}
        />
      )}
    />
  ));
}

/** The list's own message, or the first day's. */
function firstMessage(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("message" in error && typeof error.message === "string" && error.message !== "") return error.message;
  for (const inner of Object.values(error)) {
    const message = firstMessage(inner);
    if (message !== undefined) return message;
  }
  return undefined;
}
