/** Who is on the phone, for whatever may not happen to them meanwhile. */
export { isOnLine, moveToFirstLine, peopleOnLine } from "./lines-of-people.table.ts";
