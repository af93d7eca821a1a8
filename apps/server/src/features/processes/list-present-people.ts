import type { Tx } from "../../db/transaction.ts";
import { type PeopleAtProcess, selectPeopleAt } from "./people-at-processes.table.ts";

/** The people with Leadline open, by organisation, in any process. A person may occur twice. In the system scope. */
export const listPresentPeople = async (tx: Tx): Promise<PeopleAtProcess["present"]> =>
  (await selectPeopleAt(tx)).flatMap(({ present }) => present);
