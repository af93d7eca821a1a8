import type { RequestLimit } from "@leadline/contract/integrations";
import { formatWhen } from "../../components/format-time.ts";
import { useNow } from "../../components/use-now.ts";

const windowsMs = { hour: 3_600_000, day: 86_400_000 } as const satisfies Record<RequestLimit["per"], number>;
const words = { hour: "this hour", day: "today" } as const satisfies Record<RequestLimit["per"], string>;

/** How many requests the CRM still accepts. Nothing once the number is older than its window. */
export function RequestsLeft({ limit, serviceName }: { limit: RequestLimit; serviceName: string }) {
  const now = useNow();
  const { left, most, per, readAt } = limit;
  if (now.getTime() - Date.parse(readAt) > windowsMs[per]) return null;
  return (
    <p className="pb-3 text-sm text-ink-soft">
      {left.toLocaleString()} of {most.toLocaleString()} {serviceName} requests left {words[per]}, as of{" "}
      {formatWhen(readAt, now)}.
    </p>
  );
}
