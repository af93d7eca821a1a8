import { request } from "./api-client.ts";
import { pathAfterLogin, pendingInvitation } from "./pending-invitation.ts";

/** Accepts this user's pending invitation; if that fails, its own page says why. Returns where to go. */
export async function joinAfterLogin(email: string): Promise<string> {
  const token = pendingInvitation.token();
  const isTheirs = pendingInvitation.email()?.toLowerCase() === email.trim().toLowerCase();
  // Someone else is asked first: the invitation may be a previous user's.
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
