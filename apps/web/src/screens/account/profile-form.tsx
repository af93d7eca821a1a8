import { zodResolver } from "@hookform/resolvers/zod";
import { RegisterInput } from "@leadline/contract/sessions";
import type { User } from "@leadline/contract/users";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { AskBeforeLeaving } from "../../components/ask-before-leaving.tsx";
import { PersonNameFields } from "../../components/person-name-fields.tsx";
import { focusFirstInvalid, showProblemInForm } from "../../components/show-problem-in-form.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { saveAccount } from "./save-account.ts";

export function ProfileForm({ me }: { me: User }) {
  const form = useForm({
    shouldFocusError: false,
    resolver: zodResolver(RegisterInput.pick({ firstName: true, lastName: true })),
    defaultValues: { firstName: me.firstName, lastName: me.lastName },
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  const submit = form.handleSubmit(async (names, event) => {
    try {
      await saveAccount(me, names);
      toast.success("Name saved.");
    } catch (error) {
      showProblemInForm(form, error, { event, fields: ["firstName", "lastName"] });
    }
  }, focusFirstInvalid);
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <AskBeforeLeaving personal unsaved={isDirty || isSubmitting} />
      {errors.root?.server ? <Notice>{errors.root.server.message}</Notice> : null}
      <PersonNameFields register={form.register} errors={errors} />
      <div>
        <Button type="submit" busy={isSubmitting} disabled={!isDirty}>
          Save name
        </Button>
      </div>
    </form>
  );
}
