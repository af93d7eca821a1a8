import { CircleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";

interface ControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: string;
  /** Beside the label, for what may stay empty. */
  optional?: boolean;
  help?: ReactNode;
  /** Takes the help's place. */
  message?: string | undefined;
  /** Stays below the message, which alone would not say what to do. */
  rule?: string;
  /** Renders the control with the ids that tie it to its label and message. */
  children: (control: ControlProps) => ReactNode;
}

export function Field({ label, optional = false, help, message, rule, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const note = message ?? help;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        {optional ? <span className="text-xs font-normal text-ink-soft">Optional</span> : null}
      </label>
      {children({ id, "aria-describedby": note ? noteId : undefined, "aria-invalid": message ? true : undefined })}
      {message ? (
        <p id={noteId} role="alert" className="flex items-start gap-1.5 text-table text-fault">
          <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          <span>
            {message}
            {rule ? <span className="block text-ink-soft">{rule}</span> : null}
          </span>
        </p>
      ) : help ? (
        <p id={noteId} className="text-table text-ink-soft">
          {help}
        </p>
      ) : null}
    </div>
  );
}
