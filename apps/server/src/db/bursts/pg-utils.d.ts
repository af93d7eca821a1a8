declare module "pg/lib/utils.js" {
  /** A value as the text that Postgres reads; null stays null. */
  export const prepareValue: (value: unknown) => unknown;
}
