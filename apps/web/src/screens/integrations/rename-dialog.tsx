import { zodResolver } from "@hookform/resolvers/zod";
import { type Integration, updateIntegration, UpdateIntegrationInput } from "@leadline/contract/integrations";
import { useForm } from "react-hook-form";
import { FormDialog } from "../../components/form-dialog.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

export function RenameDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(UpdateIntegrationInput),
    defaultValues: { label: integration.label },
  });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async ({ label }, event) => {
    try {
      await request(updateIntegration, { params: { id: integration.id }, body: { label } });
      await queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["label"] });
    }
  }, focusFirstInvalid);

  return (
    <FormDialog title="Edit label" save="Save" formState={form.formState} onSubmit={submit} onClose={onClose}>
      <Field label="Label" message={errors.label?.message}>
        {(control) => <Input autoComplete="off" {...control} {...form.register("label")} />}
      </Field>
    </FormDialog>
  );
}
