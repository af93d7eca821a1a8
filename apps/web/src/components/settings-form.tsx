import type { ReactNode, SubmitEvent } from "react";
import type { FieldValues, FormState } from "react-hook-form";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { AskBeforeLeaving } from "./ask-before-leaving.tsx";

type State = Pick<FormState<FieldValues>, "errors" | "isDirty" | "isSubmitting">;

/** A settings form, read-only for some: errors are above its fields, and leaving with unsaved changes asks first. */
export function SettingsForm(props: {
  state: State;
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => Promise<void>;
  /** Who can change it, for someone who can't. */
  whoMayChange: string | null;
  className?: string;
  children: ReactNode;
}) {
  const { state, onSubmit, whoMayChange, className = "max-w-[440px]", children } = props;
  const { errors, isDirty, isSubmitting } = state;
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)} className={`flex flex-col gap-5 ${className}`}>
      {whoMayChange === null ? null : <Notice tone="brass">{whoMayChange}</Notice>}
      <AskBeforeLeaving unsaved={isDirty || isSubmitting} />
      {errors.root?.["server"] ? <Notice>{errors.root["server"].message}</Notice> : null}
      {children}
    </form>
  );
}

export function SaveChanges({ state: { isDirty, isSubmitting } }: { state: State }) {
  return (
    <div className="pt-1">
      <Button type="submit" busy={isSubmitting} disabled={!isDirty}>
        Save changes
      </Button>
    </div>
  );
}
