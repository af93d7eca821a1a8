import { zodResolver } from "@hookform/resolvers/zod";
import { type BillingDetails, BillingDetailsInput, updateBillingDetails } from "@leadline/contract/receipts";
import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { FormDialog } from "../../components/form-dialog.tsx";
import { LoadFailed } from "../../components/load-failed.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { request } from "../../data/api-client.ts";
import { billingDetailsQuery } from "../../data/billing-details-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input, TextArea } from "../../ui/input.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const title = "Billing details";

export function BillingDetailsDialog({ onClose }: { onClose: () => void }) {
  const details = useQuery(billingDetailsQuery);
  if (details.data) return <DetailsForm details={details.data} onClose={onClose} />;
  return (
    <Dialog open onOpenChange={onClose} title={title}>
      {details.isError ? (
        <LoadFailed what="The billing details" query={details} />
      ) : (
        <div role="status" aria-label="Loading the billing details">
          <Skeleton className="h-40 w-full" />
        </div>
      )}
    </Dialog>
  );
}

function DetailsForm({ details, onClose }: { details: BillingDetails; onClose: () => void }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(BillingDetailsInput),
    defaultValues: details,
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (body, event) => {
    try {
      queryClient.setQueryData(billingDetailsQuery.queryKey, await request(updateBillingDetails, { body }));
      toast.success("Billing details saved.");
      onClose();
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["name", "address", "taxNumber"] });
    }
  }, focusFirstInvalid);
  return (
    <FormDialog
      title={title}
      description="They are printed on the receipts of future top-ups. Earlier receipts stay as they are."
      save="Save changes"
      formState={form.formState}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Name" optional help="Left empty: your organisation’s name." message={errors.name?.message}>
        {(control) => <Input {...control} {...form.register("name")} />}
      </Field>
      <Field label="Address" optional message={errors.address?.message}>
        {(control) => <TextArea rows={4} {...control} {...form.register("address")} />}
      </Field>
      <Field label="Tax number" optional help="Such as your VAT number." message={errors.taxNumber?.message}>
        {(control) => <Input {...control} {...form.register("taxNumber")} />}
      </Field>
    </FormDialog>
  );
}
