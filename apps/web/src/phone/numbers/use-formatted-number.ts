import { useEffect, useState } from "react";

type Format = (phoneNumber: string) => string;
let loaded: Format | null = null;

/** The numbering plans are large, so pages without a pad only fetch them when a number is to be shown. */
export async function loadFormat(): Promise<Format> {
  loaded ??= (await import("../../components/format-phone-number.ts")).formatPhoneNumber;
  return loaded;
}

/** The E.164 number in its country's format, unformatted until the plans have loaded. */
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
  // Another component has loaded it since this one first rendered.
  return format ?? loaded ?? asItIs;
}
