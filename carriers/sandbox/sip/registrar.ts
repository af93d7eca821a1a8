import { createDigest } from "./digest.ts";
import type { SipPath } from "./listen.ts";
import { header, respond, type SipMessage, uriIn } from "./sip-message.ts";

const tag = "sandbox";

/** Where a registered trunk is called: on the path that the registration arrived on. */
interface Contact {
  uri: string;
  path: SipPath;
}

/** Authenticates trunks and stores where registered ones are called (RFC 3261, section 10.3). */
export function createRegistrar(options: { realm: string; findTrunk(user: string): { password: string } | null }) {
  const digest = createDigest(options.realm);
  const contacts = new Map<string, Contact>();
  const passwordOf = (user: string): string | null => options.findTrunk(user)?.password ?? null;

  /** The user who sent the request. Null if the credentials were missing or wrong, and the request has been challenged. */
  function prove(request: SipMessage, send: (text: string) => void): string | null {
    const isRegister = request.method === "REGISTER";
    const user = digest.provenUser(request, isRegister ? "Authorization" : "Proxy-Authorization", passwordOf);
    if (user !== null) return user;
    const [status, reason, name] = isRegister
      ? ([401, "Unauthorized", "WWW-Authenticate"] as const)
      : ([407, "Proxy Authentication Required", "Proxy-Authenticate"] as const);
    send(respond(request, status, { reason, tag, headers: [[name, digest.challenge()]] }));
    return null;
  }

  return {
    prove,
    /** Undefined also once the connection that it registered over has closed. */
    contactOf(user: string): Contact | undefined {
      const contact = contacts.get(user);
      return contact?.path.isOpen() ? contact : undefined;
    },
    register(request: SipMessage, path: SipPath): void {
      const { send } = path;
      const user = prove(request, send);
      if (user === null) return;
      const given = header(request, "contact");
      const expires = Number(/expires=(\d+)/.exec(given)?.[1] ?? (header(request, "expires") || 300));
      const isOver = expires === 0 || given.startsWith("*");
      if (isOver) contacts.delete(user);
      else contacts.set(user, { uri: uriIn(given), path });
      const headers: [string, string][] = isOver ? [] : [["Contact", `<${uriIn(given)}>;expires=${expires}`]];
      send(respond(request, 200, { reason: "OK", tag, headers }));
    },
  };
}
