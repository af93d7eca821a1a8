import { HostedLoginState } from "@leadline/contract/hosted-login";

/** The page that the state holds, base64-decoded; never another site's, nor one that would end the login at once. */
export function pathOfState(state: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(state.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    const { path } = HostedLoginState.parse(JSON.parse(new TextDecoder().decode(bytes)));
    return path === undefined || /^\/(oauth2|logout)\b/.test(path) ? null : path;
  } catch {
    return null;
  }
}
