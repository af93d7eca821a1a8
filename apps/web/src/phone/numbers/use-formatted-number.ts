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
    void import("../../components/format-phone-number.ts")
      .then(({ formatPhoneNumber }) => {
        loaded = formatPhoneNumber;
        if (current) setFormat(() => formatPhoneNumber);
        return formatPhoneNumber;
      })
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [needed]);
  return needed && format ? format(phoneNumber) : phoneNumber;
}
