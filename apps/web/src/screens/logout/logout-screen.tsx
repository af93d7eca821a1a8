import { leaveHostedLogin } from "@leadline/contract/hosted-login";
import { logout } from "@leadline/contract/sessions";
import { useEffect } from "react";
import { request } from "../../data/api-client.ts";
import { pendingInvitation } from "../../data/pending-invitation.ts";
import { session } from "../../data/session.ts";
import { Spinner } from "../../ui/spinner.tsx";

export function LogoutScreen() {
  useEffect(() => {
    ending ??= endSession();
  }, []);
  return (
    <output className="flex flex-1 items-center justify-center gap-3 pb-24 text-ink-soft">
      <Spinner className="size-6 text-brand" />
      Logging out...
    </output>
  );
}

/** One for the page: shown a second time while the first is under way, it would leave before the server is told. */
let ending: Promise<void> | null = null;

async function endSession(): Promise<void> {
  const [refreshToken, idToken] = [session.refreshToken(), session.idToken()];
  const [token, email] = [pendingInvitation.token(), pendingInvitation.email()];
  session.clear();
  localStorage.clear();
  sessionStorage.clear();
  // Who logs out to take an invitation as somebody else takes it along.
  if (token !== null) pendingInvitation.keep({ token, ...(email !== null && { email }) });
  // Here the person is out even if the server cannot be told; its session then ends by its own expiry.
  const [left] = await Promise.all([
    idToken ? request(leaveHostedLogin, { body: { idToken } }).catch(() => null) : null,
    refreshToken ? request(logout, { body: { refreshToken } }).catch(() => undefined) : null,
  ]);
  // The hosted login's own page comes back to /.
  location.replace(left?.url ?? (token === null ? "/" : "/invitation"));
}
