import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { personNameRule } from "./field-rules.ts";

type Name = "firstName" | "lastName";

interface PersonNameFieldsProps {
  register: (name: Name) => UseFormRegisterReturn;
  errors: { [P in Name]?: { message?: string | undefined } | undefined };
}

export function PersonNameFields({ register, errors }: PersonNameFieldsProps) {
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Field label="First name" rule={personNameRule} message={errors.firstName?.message}>
        {(control) => <Input autoComplete="given-name" {...control} {...register("firstName")} />}
      </Field>
      <Field label="Last name" rule={personNameRule} message={errors.lastName?.message}>
        {(control) => <Input autoComplete="family-name" {...control} {...register("lastName")} />}
      </Field>
    </div>
  );
}
