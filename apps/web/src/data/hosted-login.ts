import { startHostedLogin as start } from "@leadline/contract/hosted-login";
import { request } from "./api-client.ts";
import { readLoginOptions } from "./login-options.ts";

const proofKey = "leadline.hosted-login";

/** Kept in this tab while the browser is at the hosted login: without it, what comes back signs nobody in. */
export const hostedLoginProof = {
  take(): string | null {
    const proof = sessionStorage.getItem(proofKey);
    sessionStorage.removeItem(proofKey);
    return proof;
  },
};

/** Where to send the browser; `path` is where it comes back to in the end. */
export async function startHostedLogin(path?: string): Promise<string> {
  const body = path === undefined ? {} : { path: path.replaceAll("\\", "%5C") };
  const { url, proof } = await request(start, { body });
  sessionStorage.setItem(proofKey, proof);
  return url;
}

/** Leaves for the hosted login, in place of this page; false where there is none to go to. */
export async function goToHostedLogin(path: string): Promise<boolean> {
  try {
    const { hostedLogin } = await readLoginOptions();
    if (hostedLogin === null) return false;
    location.replace(await startHostedLogin(path));
    return true;
  } catch {
    return false;
  }
}
