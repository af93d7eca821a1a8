import { zodResolver } from "@hookform/resolvers/zod";
import { type LeadView, LeadViewInput } from "@leadline/contract/lead-views";
import { Controller, useForm, useWatch } from "react-hook-form";
import { toast } from "sonner";
import { FormDialog } from "../../components/form-dialog.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { saveView } from "../../data/lead-views-query.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

interface SaveViewDialogProps {
  view: Pick<LeadView, "filter" | "columns">;
  /** The current view, which can be overwritten. */
  known: LeadView | undefined;
  ownNames: readonly string[];
  onClose: () => void;
}

export function SaveViewDialog({ view, known, ownNames, onClose }: SaveViewDialogProps) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(LeadViewInput.pick({ name: true, shared: true })),
    defaultValues: { name: known?.own ? known.name : "", shared: known?.own ? known.shared : false },
  });
  const { errors } = form.formState;
  const name = useWatch({ control: form.control, name: "name" }).trim().toLowerCase();
  const replaces = ownNames.some((own) => own.toLowerCase() === name);

  const submit = form.handleSubmit(async (given, event) => {
    try {
      await saveView({ ...given, ...view });
      toast.success(`${given.name} saved.`);
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["name"] });
    }
  }, focusFirstInvalid);

  return (
    <FormDialog title="Save this view" save="Save" formState={form.formState} onSubmit={submit} onClose={onClose}>
      <Field
        label="Name"
        help={replaces ? "Replaces your view with this name." : "Saves the filters, the order and the columns."}
        message={errors.name?.message}
      >
        {(control) => (
          <Input autoComplete="off" placeholder="My leads to call" {...control} {...form.register("name")} />
        )}
      </Field>
      <Controller
        control={form.control}
        name="shared"
        render={({ field }) => (
          <Checkbox
            label="Share with everyone in your organisation"
            checked={field.value ?? false}
            onChange={field.onChange}
          />
        )}
      />
    </FormDialog>
  );
}
