import type { FastifyInstance } from "fastify";

/** Scripts only come from our own files; inline styles are allowed because the toasts use them. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers: Record<string, string> = {
  "content-security-policy": contentSecurityPolicy,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "microphone=(self), camera=(), geolocation=(), payment=(), usb=(), display-capture=()",
};

export const securityHeaders = ({ https }: { https: boolean }): Record<string, string> =>
  https ? { ...headers, "strict-transport-security": "max-age=31536000; includeSubDomains" } : headers;

export function setSecurityHeaders(app: FastifyInstance, options: { https: boolean }): void {
  const all = securityHeaders(options);
  app.addHook("onRequest", (_request, reply, done) => {
    reply.headers(all);
    done();
  });
}
