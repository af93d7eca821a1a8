import type { getLoginOptions } from "@leadline/contract/hosted-login";
import { request } from "./api-client.ts";

/** Guarantee: sending an entry reads no more of it than this; its schemas stay out of the login page. */
const withoutSchemas = (entry: Pick<typeof getLoginOptions, "method" | "path" | "access">) =>
  entry as typeof getLoginOptions;

const entry = withoutSchemas({ method: "GET", path: "/v1/login-options", access: "public" });

/** What the operator set up; asked anew by each page that is loaded. */
export const readLoginOptions = () => request(entry, {});
