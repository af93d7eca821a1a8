import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";

interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: string;
  /** Shown next to the label of an optional field. */
  optional?: boolean;
  help?: ReactNode;
  /** Replaces the help text. */
  message?: string | undefined;
  /** Stays below the message, which alone wouldn't say what to do. */
  rule?: string;
  /** Renders the control with the ids that connect it to its label and message. */
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, optional = false, help, message, rule, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const ruleId = `${id}-rule`;
  const notes = message ? (rule ? `${noteId} ${ruleId}` : noteId) : help ? noteId : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        {optional ? <span className="text-xs font-normal text-ink-soft">Optional</span> : null}
      </label>
      {children({ id, "aria-describedby": notes, "aria-invalid": message ? true : undefined })}
      {message ? (
        <p id={noteId} role="alert" className="flex items-start gap-1.5 text-table text-fault">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {message}
        </p>
      ) : null}
      {message && rule ? (
        <p id={ruleId} className="-mt-1 pl-5.5 text-table text-ink-soft">
          {rule}
        </p>
      ) : null}
      {!message && help ? (
        <p id={noteId} className="text-table text-ink-soft">
          {help}
        </p>
      ) : null}
    </div>
  );
}
