import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";

interface Lines {
  callsPerSecond: string;
  channels: string;
}
interface LineLimitsProps {
  lines: Lines;
  onLine: (name: keyof Lines, typed: string) => void;
  messages: Readonly<Record<string, string | undefined>>;
}

/** The carrier's limits. Calls above them wait instead of being refused. */
export function LineLimits({ lines, onLine, messages }: LineLimitsProps) {
  const draw = (name: keyof Lines, { label, help }: { label: string; help: string }) => (
    <Field label={label} help={help} message={messages[name]}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          inputMode="decimal"
          className="max-w-32"
          value={lines[name]}
          onChange={(event) => onLine(name, event.target.value)}
        />
      )}
    </Field>
  );
  return (
    <>
      {draw("callsPerSecond", {
        label: "New calls per second",
        help: "What your carrier allows. More calls wait a moment for their turn. Leave it empty if there’s no limit.",
      })}
      {draw("channels", {
        label: "Calls at once",
        help: "What your carrier allows. More calls wait for a free line. Leave it empty if there’s no limit.",
      })}
    </>
  );
}
