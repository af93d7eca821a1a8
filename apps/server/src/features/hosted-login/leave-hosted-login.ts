import { countAttempts, throttledAddress } from "../sessions/sign-in-throttle.ts";
import type { HostedLoginDeps } from "./hosted-login-deps.ts";

/** Nobody is kept from logging out here because the provider is away or has no such page. */
export async function leaveHostedLogin(
  deps: HostedLoginDeps,
  asked: { idToken: string; ip: string },
): Promise<{ url: string | null }> {
  const { provider, database } = deps;
  const by = throttledAddress(asked.ip);
  await countAttempts(database.withTransaction, "hosted login left", { by, most: 200 });
  return { url: (await provider?.endSessionUrl(asked.idToken).catch(() => null)) ?? null };
}
