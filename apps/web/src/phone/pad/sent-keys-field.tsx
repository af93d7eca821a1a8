import type { RefObject } from "react";
import { classNames } from "../../ui/class-names.ts";
import { fieldLook, frameLook } from "./field-looks.ts";

/** In a call the field shows the keys that were sent. */
export function SentKeysField({ keys, field }: { keys: string; field: RefObject<HTMLInputElement | null> }) {
  return (
    <div className={classNames(frameLook, "pl-3")}>
      <input
        ref={field}
        type="text"
        readOnly
        inputMode="none"
        placeholder="Keys are sent as you press"
        aria-label="Keys sent"
        value={keys}
        className={classNames(fieldLook, "text-center tracking-wider placeholder:text-sm placeholder:tracking-normal")}
      />
    </div>
  );
}
