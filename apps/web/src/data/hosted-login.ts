import { startHostedLogin as start } from "@leadline/contract/hosted-login";
import { request } from "./api-client.ts";
import { readLoginOptions } from "./login-options.ts";

const proofKey = "leadline.hosted-login";

/** Kept in this tab while the browser is at the hosted login: without it, the response logs no one in. */
export const hostedLoginProof = {
  take(): string | null {
    const proof = sessionStorage.getItem(proofKey);
    sessionStorage.removeItem(proofKey);
    return proof;
  },
};

/** The address to redirect to; `path` is where it finally returns. */
export async function startHostedLogin(path?: string): Promise<string> {
  const body = path === undefined ? {} : { path: path.replaceAll("\\", "%5C") };
  const { url, proof } = await request(start, { body });
  sessionStorage.setItem(proofKey, proof);
  return url;
}

/** Redirects to the hosted login; false if there is none. */
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
