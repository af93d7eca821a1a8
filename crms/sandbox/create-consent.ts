import { consentPage, refusalPage } from "./consent-page.ts";
import { page, redirect, type SandboxRequest, type SandboxResponse } from "./exchange.ts";
import { createWaiting } from "./waiting.ts";

interface ConsentOptions {
  clientId: string;
  domain: string;
  codePrefix: string;
  /** What an app asks for that names no scope. Empty: it is refused. */
  defaultScope: string;
  /** The query of the answer if the person denies access. */
  denied: Record<string, string>;
  /** The allowed redirect addresses. */
  allowsCallback(callback: URL, request: SandboxRequest): boolean;
}
interface Asked {
  callback: URL;
  redirectUri: string;
  state: string | null;
  scope: string;
}

/** The code flow's page, on which a person allows or denies access, and the codes that it sends back. */
export function createConsent({ clientId, domain, codePrefix, defaultScope, denied, allowsCallback }: ConsentOptions) {
  const pages = createWaiting<Asked>({ prefix: "", keepsMs: 600_000 });
  const codes = createWaiting<Asked>({ prefix: codePrefix, keepsMs: 600_000 });
  return {
    authorise(request: SandboxRequest): SandboxResponse {
      const query = new URL(request.url, "http://sandbox").searchParams;
      const redirectUri = query.get("redirect_uri") ?? "";
      const callback = URL.canParse(redirectUri) ? new URL(redirectUri) : null;
      const scopes = (query.get("scope") || defaultScope).split(" ").filter((scope) => scope !== "");
      if (query.get("client_id") !== clientId)
        return page(400, refusalPage("The sandbox does not know the app that asks (client_id)."));
      if (callback === null || !allowsCallback(callback, request))
        return page(400, refusalPage("The address to go back to is not this Leadline’s (redirect_uri)."));
      if (scopes.length === 0) return page(400, refusalPage("The app asks for nothing (scope)."));
      const ticket = pages.put({ callback, redirectUri, state: query.get("state"), scope: scopes.join(" ") });
      return page(200, consentPage({ ticket, scopes, domain }));
    },
    decide(request: SandboxRequest): SandboxResponse {
      const form = new URLSearchParams(request.body);
      const asked = pages.take(form.get("ticket") ?? "");
      if (asked === null)
        return page(
          400,
          refusalPage("This page was answered already, or has waited for too long. Start again in Leadline."),
        );
      const target = new URL(asked.callback);
      if (asked.state !== null) target.searchParams.set("state", asked.state);
      const answer = form.get("decision") === "allow" ? { code: codes.put(asked) } : denied;
      for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
      return redirect(target.href);
    },
    takeCode: codes.take,
  };
}
