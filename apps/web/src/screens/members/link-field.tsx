import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

export function LinkField({ url }: { url: string }) {
  return (
    <Field label="Invitation link" help="This page may not copy for you. Select the link and copy it.">
      {(control) => <Input {...control} readOnly value={url} onFocus={(event) => event.target.select()} />}
    </Field>
  );
}
