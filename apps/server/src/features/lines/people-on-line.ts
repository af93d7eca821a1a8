/** Who is in a call, for features that must not interrupt one. */
export { isOnLine, moveToFirstLine, peopleOnLine } from "./lines-of-people.table.ts";
