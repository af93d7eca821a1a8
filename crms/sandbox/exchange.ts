/** A request and its response, independent of a server, so that the consent page can be served below another address. */
export interface SandboxRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
export const pathOf = ({ url }: SandboxRequest): string => url.split("?", 1)[0] ?? "";
export interface SandboxResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): SandboxResponse => ({
  status,
  headers: { "content-type": "application/json;charset=UTF-8", "cache-control": "no-store", ...headers },
  body: JSON.stringify(body),
});

export const page = (status: number, body: string): SandboxResponse => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
  body,
});
export const redirect = (location: string): SandboxResponse => ({
  status: 302,
  headers: { location, "cache-control": "no-store" },
  body: "",
});
