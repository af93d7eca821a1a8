import { zodResolver } from "@hookform/resolvers/zod";
import { AuditSettingsInput, updateAuditSettings } from "@leadline/contract/audit-log";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { FormDialog } from "../../components/form-dialog.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { may } from "../../components/may.ts";
import { useOwnRole } from "../../components/use-own-role.ts";
import { request } from "../../data/api-client.ts";
import { auditSettingsQuery } from "../../data/audit-log-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { NumberInput } from "../../ui/input.tsx";

/** How long the log is kept. An owner can change it. */
export function KeptDays() {
  const settings = useQuery(auditSettingsQuery).data;
  const mayChange = may(useOwnRole(), updateAuditSettings);
  const [changing, setChanging] = useState(false);
  if (!settings) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 text-table text-ink-soft">
      <p>Entries are kept for {settings.keptDays.toLocaleString()} days and can’t be changed.</p>
      {mayChange ? (
        <Button tone="quiet" size="small" className="max-md:h-11" onClick={() => setChanging(true)}>
          Change how long
        </Button>
      ) : null}
      {changing ? <KeepForm keptDays={settings.keptDays} onClose={() => setChanging(false)} /> : null}
    </div>
  );
}

function KeepForm({ keptDays, onClose }: { keptDays: number; onClose: () => void }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(AuditSettingsInput),
    defaultValues: { keptDays },
  });
  const submit = form.handleSubmit(async (body, event) => {
    try {
      queryClient.setQueryData(auditSettingsQuery.queryKey, await request(updateAuditSettings, { body }));
      toast.success(`The audit log is now kept for ${body.keptDays.toLocaleString()} days.`);
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["keptDays"] });
    }
  }, focusFirstInvalid);
  return (
    <FormDialog
      title="Keep the audit log"
      description="Older entries are deleted every night. This can’t be undone."
      save="Save changes"
      formState={form.formState}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Days" help="From 30 to 3,650." message={form.formState.errors.keptDays?.message}>
        {(control) => (
          <NumberInput min={30} max={3_650} {...control} {...form.register("keptDays", { valueAsNumber: true })} />
        )}
      </Field>
    </FormDialog>
  );
}
