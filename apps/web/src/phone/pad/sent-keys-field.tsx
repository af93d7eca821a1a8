import { clsx } from "clsx";
import type { RefObject } from "react";
import { fieldLook, frameLook } from "./field-looks.ts";

/** In a call the field shows the keys that were sent. */
export function SentKeysField({ keys, field }: { keys: string; field: RefObject<HTMLInputElement | null> }) {
  return (
    <div className={clsx(frameLook, "pl-3")}>
      <input
        ref={field}
        type="text"
        readOnly
        inputMode="none"
        placeholder="Keys are sent as you press"
        aria-label="Keys sent"
        value={keys}
        className={clsx(fieldLook, "text-center tracking-wider placeholder:text-sm placeholder:tracking-normal")}
      />
    </div>
  );
}
