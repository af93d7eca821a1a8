import { zodResolver } from "@hookform/resolvers/zod";
import { changeMargin, MarginInput } from "@leadline/contract/rates";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { queryClient } from "../../data/query-client.ts";
import { ratesKey } from "../../data/rates-query.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";

/** The margin on every rate of the carrier. */
export function MarginForm({ carrierId, marginPercent }: { carrierId: string; marginPercent: number }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(MarginInput.pick({ marginPercent: true })),
    defaultValues: { marginPercent },
  });
  const { confirmed, dialog } = usePasswordConfirmation();
  const { errors, isDirty, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async (body, event) => {
    try {
      await confirmed((currentPassword) =>
        request(changeMargin, { params: { id: carrierId }, body: { ...body, currentPassword } }),
      );
      await queryClient.invalidateQueries({ queryKey: ratesKey });
      toast.success("Margin saved.");
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["marginPercent"] });
    }
  }, focusFirstInvalid);
  return (
    <>
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        <AskBeforeLeaving unsaved={isDirty || isSubmitting} />
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
        <Field
          label="Margin in percent"
          help="Added to each rate below. Prices shown while dialling and charges include it."
          message={errors.marginPercent?.message}
        >
          {(control) => (
            <div className="flex gap-2">
              <Input
                type="number"
                inputMode="numeric"
                min={0}
                max={1000}
                className="max-w-32 tabular-nums"
                {...control}
                {...form.register("marginPercent", { valueAsNumber: true })}
              />
              <Button type="submit" tone="plain" busy={isSubmitting} disabled={!isDirty} className="max-md:h-11">
                Save margin
              </Button>
            </div>
          )}
        </Field>
      </form>
      {dialog}
    </>
  );
}
