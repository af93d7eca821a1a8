import type { Tx } from "../../db/transaction.ts";
import { selectKnownMessages } from "./voicemail-messages.table.ts";
import { selectKnownGreetings } from "./voicemail-settings.table.ts";

/** Those of these stored names that belong to messages and greetings. */
export const knownVoicemailFiles = async (tx: Tx, storedNames: readonly string[]): Promise<string[]> => [
  ...(await selectKnownMessages(tx, storedNames)),
  ...(await selectKnownGreetings(tx, storedNames)),
];
