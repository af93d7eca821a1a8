import { zodResolver } from "@hookform/resolvers/zod";
import { inviteMember, InviteMemberInput, type SentInvitation } from "@leadline/contract/members";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import type { z } from "zod";
import { FormDialog } from "../../components/form-dialog.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { usePasswordConfirmation } from "../../components/use-password-confirmation.tsx";
import { request } from "../../data/api-client.ts";
import { invitationsQuery } from "../../data/members-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Field } from "../../ui/field.tsx";
import { EmailInput } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { SentDialog } from "./sent-dialog.tsx";

const roles = [
  { value: "member", label: "Member: calls and leads" },
  { value: "analyst", label: "Analyst: reads everything a member reads" },
  { value: "admin", label: "Admin: members, numbers and settings too" },
];

export function InviteDialog({ organisationName, onClose }: { organisationName: string; onClose: () => void }) {
  const form = useForm<z.input<typeof InviteMemberInput>, unknown, z.output<typeof InviteMemberInput>>({
    shouldFocusError: false,
    resolver: zodResolver(InviteMemberInput),
    defaultValues: { email: "", role: "member" },
  });
  const { errors } = form.formState;
  const { confirmed, dialog } = usePasswordConfirmation();
  const [sent, setSent] = useState<SentInvitation | null>(null);

  const submit = form.handleSubmit(async (wish, event) => {
    try {
      const invitation = await confirmed((currentPassword) =>
        request(inviteMember, { body: { ...wish, currentPassword } }),
      );
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
      setSent(invitation);
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["email", "role"], codes: { "already-member": "email" } });
    }
  }, focusFirstInvalid);

  if (sent !== null) return <SentDialog sent={sent} onClose={onClose} />;
  return (
    <>
      <FormDialog
        title={`Invite someone to ${organisationName}`}
        description="They join with a link that works once, within seven days. If this server can’t send email, copy the link in the next step and send it yourself."
        save="Send invitation"
        formState={form.formState}
        onSubmit={submit}
        onClose={onClose}
      >
        <Field label="Email" message={errors.email?.message}>
          {(control) => <EmailInput autoComplete="off" {...control} {...form.register("email")} />}
        </Field>
        <Field label="Role" message={errors.role?.message}>
          {(control) => (
            <Controller
              control={form.control}
              name="role"
              render={({ field }) => (
                <Select {...control} options={roles} value={field.value} onValueChange={field.onChange} />
              )}
            />
          )}
        </Field>
      </FormDialog>
      {dialog}
    </>
  );
}
