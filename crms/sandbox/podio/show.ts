/** In UTC, to the second. */
export const timeOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
export const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;

/** Who made the change, and with which app. */
export const byline = {
  created_by: { type: "user", id: 5_770_001, name: "Sandy Shore" },
  created_via: { id: 1, name: "Podio", url: null },
};
