import { clsx } from "clsx";
import { type RefObject, useId } from "react";
import { isConference } from "../call/two-calls.ts";
import { usePhoneState } from "../phone-context.ts";
import { fieldLook, frameLook } from "./field-looks.ts";

/** During a call, the field shows the digits that were sent. */
export function SentKeysField({ keys, field }: { keys: string; field: RefObject<HTMLInputElement | null> }) {
  const heardByBoth = isConference(usePhoneState());
  const noteId = useId();
  return (
    <div className="flex flex-col gap-1">
      <div className={clsx(frameLook, "pl-3")}>
        <input
          ref={field}
          type="text"
          readOnly
          inputMode="none"
          placeholder="Keys are sent as you press"
          aria-label="Keys sent"
          value={keys}
          aria-describedby={heardByBoth ? noteId : undefined}
          className={clsx(fieldLook, "text-center tracking-wider placeholder:text-sm placeholder:tracking-normal")}
        />
      </div>
      {heardByBoth ? (
        <p id={noteId} className="text-center text-xs text-ink-soft">
          Both people hear the keys you press.
        </p>
      ) : null}
    </div>
  );
}
