import { HostedLoginState } from "@leadline/contract/hosted-login";

/** The page in the state (base64), restricted to this site, and not one that would log the user out. */
export function pathOfState(state: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(state.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const { path } = HostedLoginState.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return path === undefined || /^\/(oauth2|logout)\b/.test(path) ? null : path;
  } catch {
    return null;
  }
}
