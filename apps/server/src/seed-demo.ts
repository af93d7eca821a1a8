import { randomUUID } from "node:crypto";
import { demoPerson } from "./demo-person.ts";
import type { Database } from "./db/database.ts";
import { createOrganisation } from "./features/organisations/create-organisation.ts";
import { registerUser } from "./features/registration/register-user.ts";
import { Problem } from "./http/problem.ts";

/** For `npm run dev`: a user with an organisation, created once. */
export async function seedDemo(database: Database): Promise<void> {
  try {
    const { id: userId } = await registerUser(database, demoPerson, "127.0.0.1");
    const caller = { userId, sessionId: randomUUID(), organisation: null };
    await createOrganisation(database, caller, { name: "Demo Outfitters", description: null, website: null });
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "email-taken") throw error;
  }
}
