import type { Tx } from "../../db/transaction.ts";
import { type PeopleAtProcess, selectPeopleAt } from "./people-at-processes.table.ts";

/** Who has Leadline open in which organisation, at any process; a person may be named twice. In the system scope. */
export const listPresentPeople = async (tx: Tx): Promise<PeopleAtProcess["present"]> =>
  (await selectPeopleAt(tx)).flatMap(({ present }) => present);
