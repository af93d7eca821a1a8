import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

export function LinkField({ url }: { url: string }) {
  return (
    <Field label="Invitation link" help="Your browser didn’t allow copying. Select the link and copy it.">
      {(control) => <Input {...control} readOnly value={url} onFocus={(event) => event.target.select()} />}
    </Field>
  );
}
