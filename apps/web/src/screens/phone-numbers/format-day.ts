const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

/** 19 Nov 2025, on the reader's clock. */
export const formatDay = (timestamp: string): string => day.format(new Date(timestamp));
