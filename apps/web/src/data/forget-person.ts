import { isNoteDraft } from "./note-drafts.ts";
import { pendingInvitation } from "./pending-invitation.ts";
import { session } from "./session.ts";

/** Removes the user's data from this browser, except what their login, or someone else's, still needs in this tab. */
export function forgetPerson(): void {
  session.clear();
  localStorage.clear();
  for (const key of Object.keys(sessionStorage))
    if (!pendingInvitation.isPart(key) && !isNoteDraft(key)) sessionStorage.removeItem(key);
}
