import { zodResolver } from "@hookform/resolvers/zod";
import {
  keepDaysChoices,
  maxVoicemailMs,
  updateVoicemailSettings,
  UpdateVoicemailSettingsInput,
  type VoicemailSettings,
} from "@leadline/contract/voicemail";
import { Controller, useForm } from "react-hook-form";
import { toast } from "sonner";
import { SaveChanges, SettingsForm } from "../../components/settings-form.tsx";
import { formatDuration } from "../../components/format-time.ts";
import { SettingsPart } from "../../components/settings-part.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { queryClient } from "../../data/query-client.ts";
import { voicemailSettingsQuery } from "../../data/voicemail-query.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { NumberInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { GreetingField } from "./greeting-field.tsx";

const valuesOf = ({ enabled, ringSeconds, keepDays, greetingId }: VoicemailSettings) => ({
  enabled,
  ringSeconds,
  keepDays,
  greetingId,
});
const keepWords = { 7: "A week", 30: "30 days", 90: "90 days", 365: "A year" } as const satisfies Record<
  VoicemailSettings["keepDays"],
  string
>;

export function VoicemailForm({ settings, mayChange }: { settings: VoicemailSettings; mayChange: boolean }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(UpdateVoicemailSettingsInput),
    disabled: !mayChange,
    values: valuesOf(settings),
    // Otherwise another user's change would answer an open question to leave.
    resetOptions: { keepDirtyValues: true, keepDirty: true },
  });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (change, event) => {
    try {
      const changed = await request(updateVoicemailSettings, { body: change });
      queryClient.setQueryData(voicemailSettingsQuery.queryKey, changed);
      form.setValue("ringSeconds", changed.ringSeconds);
      form.reset(valuesOf(changed));
      toast.success(changed.enabled ? "Voicemail is on." : "Voicemail is off.");
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["enabled", "ringSeconds", "keepDays"] });
    }
  }, focusFirstInvalid);

  return (
    <SettingsForm
      state={form.formState}
      onSubmit={submit}
      whoMayChange={mayChange ? null : "Only an owner can change voicemail settings."}
      className=""
    >
      {settings.full && settings.enabled ? (
        <Notice tone="brass" title="Voicemail is full">
          Listen to or delete some messages to make room for new calls.
        </Notice>
      ) : null}
      <SettingsPart
        title="When to answer"
        lead="Voicemail answers calls that ring out, that everyone declines, or that arrive when no one is available."
      >
        <Controller
          control={form.control}
          name="enabled"
          render={({ field }) => (
            <Checkbox
              label="Send unanswered calls to voicemail"
              checked={field.value ?? false}
              onChange={field.onChange}
              disabled={!mayChange}
            />
          )}
        />
        <Field
          label="Seconds to ring first"
          help="If no one is available, voicemail answers immediately."
          message={errors.ringSeconds?.message}
        >
          {(control) => (
            <NumberInput min={5} max={60} {...control} {...form.register("ringSeconds", { valueAsNumber: true })} />
          )}
        </Field>
      </SettingsPart>
      <SettingsPart
        title="Greeting"
        lead="What callers hear before the tone. Tell them that their message is recorded."
      >
        <Controller
          control={form.control}
          name="greetingId"
          render={({ field }) => (
            <GreetingField
              settings={settings}
              value={field.value ?? null}
              onChange={field.onChange}
              disabled={!mayChange}
            />
          )}
        />
      </SettingsPart>
      <SettingsPart title="Messages" lead={inUse(settings)}>
        <Field
          label="Keep each message for"
          help="Messages are then deleted, heard or not. Each can be up to 3 minutes long. When two hours are full, the oldest heard message is deleted. If none has been heard, voicemail stops taking calls."
          message={errors.keepDays?.message}
        >
          {(control) => (
            <Controller
              control={form.control}
              name="keepDays"
              render={({ field }) => (
                <Select
                  {...control}
                  className="max-w-42"
                  disabled={!mayChange}
                  value={String(field.value)}
                  onValueChange={(days) => field.onChange(Number(days))}
                  options={keepDaysChoices.map((days) => ({ value: String(days), label: keepWords[days] }))}
                />
              )}
            />
          )}
        </Field>
        {mayChange ? <SaveChanges state={form.formState} /> : null}
      </SettingsPart>
    </SettingsForm>
  );
}

const inUse = ({ used: { messages, durationMs } }: VoicemailSettings): string =>
  messages === 0
    ? "No messages now."
    : `${messages}, using ${formatDuration(durationMs)} of ${maxVoicemailMs / 3_600_000} hours.`;
