import { zodResolver } from "@hookform/resolvers/zod";
import { type Integration, updateIntegration, UpdateIntegrationInput } from "@leadline/contract/integrations";
import { useForm } from "react-hook-form";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { showProblemInForm } from "../../components/show-problem-in-form.ts";
import { savedStateOf, useAskBeforeClosing } from "../../components/use-ask-before-closing.tsx";
import { request } from "../../data/api-client.ts";
import { integrationsQuery } from "../../data/integrations-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

export function RenameDialog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const form = useForm({
    resolver: zodResolver(UpdateIntegrationInput),
    defaultValues: { label: integration.label },
  });
  const { errors, isSubmitting } = form.formState;
  const state = savedStateOf(form.formState);
  const { onOpenChange, question } = useAskBeforeClosing(state, onClose);

  const submit = form.handleSubmit(async ({ label }) => {
    try {
      await request(updateIntegration, { params: { id: integration.id }, body: { label } });
      await queryClient.invalidateQueries({ queryKey: integrationsQuery.queryKey });
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { fields: ["label"] });
    }
  });

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Edit label"
      footer={
        <>
          <Button tone="quiet" disabled={isSubmitting} onClick={() => onOpenChange()}>
            Cancel
          </Button>
          <Button type="submit" form="rename-integration" busy={isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      <form
        id="rename-integration"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="flex flex-col gap-4 pt-1"
      >
        <AskBeforeLeaving unsaved={state !== "saved"} />
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <Field label="Label" message={errors.label?.message}>
          {(control) => <Input autoComplete="off" {...control} {...form.register("label")} />}
        </Field>
      </form>
      {question}
    </Dialog>
  );
}
