import { IconButton } from "../../ui/icon-button.tsx";
import { Button } from "../../ui/button.tsx";
import { X } from "lucide-react";
import { isActive } from "../call/call-phase.ts";
import { usePhone, usePhoneState } from "../phone-context.ts";

/** The number's extension: kept apart until the call is answered, then sent when the rep says so. */
export function ExtensionNote() {
  const phone = usePhone();
  const { extension, phase, call } = usePhoneState();
  if (extension === "") return null;
  const answered = isActive(phase) && call?.status === "in-progress";
  return (
    <div className="flex min-h-8 items-center justify-between gap-2 rounded-md bg-sunk py-1 pr-1 pl-3 text-table">
      <p role="status">
        Extension <span className="font-semibold tabular-nums">{extension}</span>
        {answered ? null : <span className="text-ink-soft"> · send it once they answer</span>}
      </p>
      {answered ? (
        <Button tone="plain" size="small" onClick={() => phone.sendExtension()}>
          Send extension
        </Button>
      ) : (
        <IconButton label="Remove extension" size="small" onClick={() => phone.setExtension("")}>
          <X />
        </IconButton>
      )}
    </div>
  );
}
