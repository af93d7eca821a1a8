import { countAttempts, throttledAddress } from "../attempts/count-attempts.ts";
import type { HostedLoginDeps } from "./hosted-login-deps.ts";

/** A provider that is down, or has no such page, must not stop anyone from logging out here. */
export async function leaveHostedLogin(
  deps: HostedLoginDeps,
  asked: { idToken: string; ip: string },
): Promise<{ url: string | null }> {
  const { provider, database } = deps;
  const by = throttledAddress(asked.ip);
  await countAttempts(database.withTransaction, "hosted login left", { by, most: 200 });
  return { url: (await provider?.endSessionUrl(asked.idToken).catch(() => null)) ?? null };
}
