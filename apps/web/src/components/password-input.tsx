import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Input } from "../ui/input.tsx";

/** What is typed can be shown, so that a slip of the finger is seen. */
export function PasswordInput(props: Omit<ComponentProps<"input">, "type">) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input {...props} type={shown ? "text" : "password"} spellCheck={false} autoCapitalize="none" className="pr-10" />
      <button
        type="button"
        aria-pressed={shown}
        aria-label="Show what is typed"
        title={shown ? "Hide it" : "Show what is typed"}
        onClick={() => setShown(!shown)}
        className="absolute top-1/2 right-1 grid size-8 -translate-y-1/2 place-items-center rounded-md text-ink-soft hover:text-ink"
      >
        <Icon className="size-4" aria-hidden="true" />
      </button>
    </div>
  );
}
