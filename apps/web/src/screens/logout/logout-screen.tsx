import { leaveHostedLogin } from "@leadline/contract/hosted-login";
import { logout } from "@leadline/contract/sessions";
import { useEffect } from "react";
import { request } from "../../data/api-client.ts";
import { forgetPerson } from "../../data/forget-person.ts";
import { pendingInvitation } from "../../data/pending-invitation.ts";
import { sendNoteDrafts } from "../../data/send-note-drafts.ts";
import { session } from "../../data/session.ts";
import { Spinner } from "../../ui/spinner.tsx";

export function LogoutScreen() {
  useEffect(() => {
    ending ??= endSession();
  }, []);
  return (
    <div role="status" className="flex flex-1 items-center justify-center gap-3 pb-24 text-ink-soft">
      <Spinner className="size-6 text-brand" />
      <h1>Logging out...</h1>
    </div>
  );
}

/** Once per page: a second render while the first is in progress would leave before the server is notified. */
let ending: Promise<void> | null = null;

/** How long to wait until the last notes are saved. */
const maxDraftsMs = 4_000;

async function endSession(): Promise<void> {
  // Drafts that couldn't be saved by then stay in this tab, for this user only.
  await Promise.race([sendNoteDrafts(), new Promise((resolve) => setTimeout(resolve, maxDraftsMs))]);
  const [refreshToken, idToken] = [session.refreshToken(), session.idToken()];
  forgetPerson();
  // The user is logged out here even if the server can't be reached. Its session then expires.
  const [left] = await Promise.all([
    idToken ? request(leaveHostedLogin, { body: { idToken } }).catch(() => null) : null,
    refreshToken ? request(logout, { body: { refreshToken } }).catch(() => undefined) : null,
  ]);
  // A user who logs out to accept an invitation as someone else returns to it. The hosted login's own page returns to
  // /.
  location.replace(left?.url ?? (pendingInvitation.token() === null ? "/" : "/invitation"));
}
