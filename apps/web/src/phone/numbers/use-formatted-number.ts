import { useEffect, useState } from "react";

type Format = (phoneNumber: string) => string;
let loaded: Format | null = null;

/** E.164 in its country's groups. The numbering plans are large, so pages without a pad fetch them only for a call. */
export function useFormattedNumber(phoneNumber: string): string {
  const [format, setFormat] = useState<Format | null>(() => loaded);
  const needed = phoneNumber !== "";
  useEffect(() => {
    if (!needed || loaded) return;
    let current = true;
    void import("./format-number.ts")
      .then(({ formatE164 }) => {
        loaded = formatE164;
        if (current) setFormat(() => formatE164);
        return formatE164;
      })
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [needed]);
  return needed && format ? format(phoneNumber) : phoneNumber;
}
