import type { UpdateVoicemailSettingsInput, VoicemailSettings } from "@leadline/contract/voicemail";
import type { z } from "zod";
import type { Tx } from "../../db/transaction.ts";
import { Problem } from "../../http/problem.ts";
import type { Member } from "../../http/route.ts";
import { scopeOf } from "../../http/scope-of.ts";
import { defaultGreetingMs } from "./greeting/greeting-sound.ts";
import { findRoom } from "./find-room.ts";
import type { VoicemailDeps } from "./voicemail-deps.ts";
import { readUse } from "./voicemail-messages.table.ts";
import { findSettings, selectGreetings, takeTurnAtVoicemail, writeSettings } from "./voicemail-settings.table.ts";

type Deps = Pick<VoicemailDeps, "database" | "bounds">;

export const readVoicemailSettings = (deps: Deps, caller: Member): Promise<VoicemailSettings> =>
  deps.database.withTransaction(scopeOf(caller), (tx) => read(deps, tx, caller.organisation.id));

/** They apply from the next call on. */
export async function changeVoicemailSettings(
  deps: Deps,
  caller: Member,
  change: z.output<typeof UpdateVoicemailSettingsInput>,
): Promise<VoicemailSettings> {
  const organisationId = caller.organisation.id;
  return deps.database.withTransaction(scopeOf(caller), async (tx) => {
    await takeTurnAtVoicemail(tx, organisationId);
    const greetings = await selectGreetings(tx, organisationId);
    if (change.greetingId && !greetings.some(({ id }) => id === change.greetingId))
      throw new Problem("not-found", "This greeting no longer exists. Upload it again.");
    await writeSettings(tx, organisationId, change);
    return read(deps, tx, organisationId);
  });
}

async function read(deps: Deps, tx: Tx, organisationId: string): Promise<VoicemailSettings> {
  const settings = await findSettings(tx, organisationId);
  const greetings = await selectGreetings(tx, organisationId);
  const { kept, keptMs } = await readUse(tx, organisationId);
  return {
    ...settings,
    greetings: greetings.map(({ id, name, durationMs }) => ({ id, name, durationMs })),
    defaultGreetingMs,
    used: { messages: kept, durationMs: keptMs },
    full: (await findRoom(deps, tx, organisationId)) === null,
  };
}
