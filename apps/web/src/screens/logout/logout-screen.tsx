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

/** One for the page: shown a second time while the first is under way, it would leave before the server is told. */
let ending: Promise<void> | null = null;

/** So long the person waits for their last notes. */
const mostDraftsMs = 4_000;

async function endSession(): Promise<void> {
  // As long as they may: the drafts that the server has not by then stay in this tab, for this person alone.
  await Promise.race([sendNoteDrafts(), new Promise((resolve) => setTimeout(resolve, mostDraftsMs))]);
  const [refreshToken, idToken] = [session.refreshToken(), session.idToken()];
  forgetPerson();
  // Here the person is out even if the server cannot be told; its session then ends by its own expiry.
  const [left] = await Promise.all([
    idToken ? request(leaveHostedLogin, { body: { idToken } }).catch(() => null) : null,
    refreshToken ? request(logout, { body: { refreshToken } }).catch(() => undefined) : null,
  ]);
  // Who logs out to take an invitation as somebody else goes back to it. The hosted login's own page comes back to /.
  location.replace(left?.url ?? (pendingInvitation.token() === null ? "/" : "/invitation"));
}
