import { useEffect, useState } from "react";

type Format = (phoneNumber: string) => string;
let loaded: Format | null = null;

/** The numbering plans are large, so pages without a pad fetch them only for a number that is to be shown. */
export async function loadFormat(): Promise<Format> {
  loaded ??= (await import("../../components/format-phone-number.ts")).formatPhoneNumber;
  return loaded;
}

/** E.164 in its country's groups, and as it is until those are known. */
export function useFormattedNumber(phoneNumber: string): string {
  const format = useNumberFormat({ needed: phoneNumber !== "" });
  return phoneNumber === "" ? "" : format(phoneNumber);
}

const asItIs: Format = (phoneNumber) => phoneNumber;

export function useNumberFormat({ needed }: { needed: boolean }): Format {
  const [format, setFormat] = useState<Format | null>(() => loaded);
  useEffect(() => {
    if (!needed || loaded) return;
    let current = true;
    void loadFormat()
      .then((known) => current && setFormat(() => known))
      .catch(() => {});
    return () => {
      current = false;
    };
  }, [needed]);
  // Loaded by another part since this one was first shown.
  return format ?? loaded ?? asItIs;
}
