import type { AuditEntry } from "@leadline/contract/audit-log";
import type { TestApp, TestPerson } from "./test-app.ts";

/** What Leadline changed on its own, newest first, from the audit log of the person's organisation. */
export const leadlineChanges = async (app: Pick<TestApp, "ask">, by: TestPerson): Promise<AuditEntry[]> =>
  (await app.ask("GET", "/v1/audit-log?userId=leadline", { token: by.token })).json().entries;
