import { getLoginOptions } from "@leadline/contract/hosted-login";
import { request } from "./api-client.ts";

/** The operator's login options; read on each page load. */
export const readLoginOptions = () => request(getLoginOptions, {});
