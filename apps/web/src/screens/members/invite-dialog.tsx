import { zodResolver } from "@hookform/resolvers/zod";
import { inviteMember, InviteMemberInput, type SentInvitation } from "@leadline/contract/members";
import { useState } from "react";
import { Controller, useForm } from "react-hook-form";
import type { z } from "zod";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { showProblemInForm } from "../../components/show-problem-in-form.ts";
import { savedStateOf, useAskBeforeClosing } from "../../components/use-ask-before-closing.tsx";
import { request } from "../../data/api-client.ts";
import { invitationsQuery } from "../../data/members-query.ts";
import { queryClient } from "../../data/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { EmailInput } from "../../ui/input.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { SentDialog } from "./sent-dialog.tsx";

const roles = [
  { value: "member", label: "Member: calls and leads" },
  { value: "admin", label: "Admin: members, numbers and settings too" },
];

export function InviteDialog({ organisationName, onClose }: { organisationName: string; onClose: () => void }) {
  const form = useForm<z.input<typeof InviteMemberInput>, unknown, z.output<typeof InviteMemberInput>>({
    resolver: zodResolver(InviteMemberInput),
    defaultValues: { email: "", role: "member" },
  });
  const { errors, isSubmitting } = form.formState;
  const state = savedStateOf(form.formState);
  const { onOpenChange, question } = useAskBeforeClosing(state, onClose);
  const [sent, setSent] = useState<SentInvitation | null>(null);

  const submit = form.handleSubmit(async (wish) => {
    try {
      const invitation = await request(inviteMember, { body: wish });
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
      setSent(invitation);
    } catch (error) {
      showProblemInForm(form, error, { fields: ["email", "role"], codes: { "already-member": "email" } });
    }
  });

  if (sent !== null) return <SentDialog sent={sent} onClose={onClose} />;
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={`Invite somebody to ${organisationName}`}
      description="They join by a link that works once, for seven days. If this server has no mail server, copy the link in the next step and send it yourself."
      footer={
        <>
          <Button tone="quiet" disabled={isSubmitting} onClick={() => onOpenChange()}>
            Cancel
          </Button>
          <Button type="submit" form="invite" busy={isSubmitting}>
            Send invitation
          </Button>
        </>
      }
    >
      <form id="invite" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4 pt-1">
        <AskBeforeLeaving unsaved={state !== "saved"} />
        {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
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
      </form>
      {question}
    </Dialog>
  );
}
