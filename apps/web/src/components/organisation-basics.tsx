import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/field.tsx";
import { Input, TextArea } from "../ui/input.tsx";

type Name = "name" | "description" | "website";

interface OrganisationBasicsProps {
  register: (name: Name) => UseFormRegisterReturn;
  errors: { [P in Name]?: { message?: string | undefined } | undefined };
  nameHelp?: string;
}

/** The settings that an organisation is created with; they can be changed later. */
export function OrganisationBasics({ register, errors, nameHelp }: OrganisationBasicsProps) {
  return (
    <>
      <Field label="Name" help={nameHelp} message={errors.name?.message}>
        {(control) => <Input autoComplete="organization" {...control} {...register("name")} />}
      </Field>
      <Field label="Description" optional message={errors.description?.message}>
        {(control) => <TextArea rows={3} {...control} {...register("description")} />}
      </Field>
      <Field label="Website" optional message={errors.website?.message}>
        {(control) => (
          <Input inputMode="url" autoComplete="url" placeholder="example.com" {...control} {...register("website")} />
        )}
      </Field>
    </>
  );
}
