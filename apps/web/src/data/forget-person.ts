import { isNoteDraft } from "./note-drafts.ts";
import { pendingInvitation } from "./pending-invitation.ts";
import { session } from "./session.ts";

/** Leaves this browser without the person, but for what their login, or somebody else's, still needs in this tab. */
export function forgetPerson(): void {
  session.clear();
  localStorage.clear();
  for (const key of Object.keys(sessionStorage))
    if (!pendingInvitation.isPart(key) && !isNoteDraft(key)) sessionStorage.removeItem(key);
}
