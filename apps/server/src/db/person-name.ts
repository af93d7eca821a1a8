/** Whom row security hides from an organisation: a person who left it. */
export const formerMember = "Former member";

/** Of a left join of users. */
export const personName = (row: { first_name: string | null; last_name: string | null }): string =>
  row.first_name === null ? formerMember : `${row.first_name} ${row.last_name}`;
