/** PostgreSQL can store neither NUL in text nor half of a surrogate pair in JSON. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll("\0", "");
