/** Shown for a person who has left the organisation: row security hides their name. */
export const formerMember = "Former member";

/** For a left join of users. */
export const personName = (row: { first_name: string | null; last_name: string | null }): string =>
  row.first_name === null ? formerMember : `${row.first_name} ${row.last_name}`;
