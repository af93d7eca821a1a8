import { request } from "./api-client.ts";
import { pathAfterLogin, pendingInvitation } from "./pending-invitation.ts";

/** Takes the invitation that waits for this person; where that fails, its own page says why. Answers where to go. */
export async function joinAfterLogin(email: string): Promise<string> {
  const token = pendingInvitation.token();
  const isTheirs = pendingInvitation.email()?.toLowerCase() === email.trim().toLowerCase();
  // Somebody else is asked first: the invitation may be left from before them.
  if (token === null || !isTheirs) return pathAfterLogin();
  try {
    const { acceptInvitation } = await import("@leadline/contract/members");
    await request(acceptInvitation, { body: { token } });
  } catch {
    return pathAfterLogin();
  }
  pendingInvitation.forget();
  return "/calls";
}
