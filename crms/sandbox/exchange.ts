/** A request and its response, independent of a server, so that the consent page can be served below another address. */
export interface SandboxRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
export interface SandboxAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): SandboxAnswer => ({
  status,
  headers: { "content-type": "application/json;charset=UTF-8", "cache-control": "no-store", ...headers },
  body: JSON.stringify(body),
});

export const page = (status: number, body: string): SandboxAnswer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  body,
});
export const redirect = (location: string): SandboxAnswer => ({
  status: 302,
  headers: { location, "cache-control": "no-store" },
  body: "",
});
