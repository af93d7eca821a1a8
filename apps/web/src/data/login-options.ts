import { getLoginOptions } from "@leadline/contract/hosted-login";
import { request } from "./api-client.ts";

/** What the operator set up; asked anew by each page that is loaded. */
export const readLoginOptions = () => request(getLoginOptions, {});
