import type { VendorResponse, VendorRequest } from "../vendor/serve-vendor.ts";

export const ok = (body: object): VendorResponse => ({ status: 200, body });
export const created = (body: object): VendorResponse => ({ status: 201, body });
export const gone: VendorResponse = { status: 204, body: null };
/** As "Twilio's REST API: error and response codes" has it. */
export const refused = (status: number, code: number, message: string): VendorResponse => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});
export const notFound = (path: string): VendorResponse =>
  refused(404, 20404, `The requested resource ${path} was not found`);

/** A page of the newer APIs, which holds everything. */
export const page = (url: string, key: string, items: object[]): VendorResponse =>
  ok({
    [key]: items,
    meta: {
      key,
      page: 0,
      page_size: 1_000,
      url,
      first_page_url: url,
      previous_page_url: null,
      next_page_url: null,
    },
  });

/** A page of the API of 2010. */
export const oldPage = (uri: string, key: string, items: object[]): VendorResponse =>
  ok({
    [key]: items,
    uri,
    first_page_uri: uri,
    next_page_uri: null,
    previous_page_uri: null,
    page: 0,
    page_size: 1_000,
    start: 0,
    end: Math.max(0, items.length - 1),
  });

/** The page that was asked for, with the address of the next one. */
export function oldPageOf({ path, query }: VendorRequest, key: string, items: object[]): VendorResponse {
  const size = Number(query.get("PageSize") ?? 50);
  const number = Number(query.get("Page") ?? 0);
  const uriOf = (nth: number): string => {
    const asked = new URLSearchParams(query);
    asked.set("PageSize", String(size));
    asked.set("Page", String(nth));
    return `${path}?${asked}`;
  };
  const end = (number + 1) * size;
  return ok({
    [key]: items.slice(number * size, end),
    uri: uriOf(number),
    first_page_uri: uriOf(0),
    next_page_uri: end < items.length ? uriOf(number + 1) : null,
    previous_page_uri: number > 0 ? uriOf(number - 1) : null,
    page: number,
    page_size: size,
    start: number * size,
    end: Math.min(end, items.length) - 1,
  });
}

/** RFC 2822, as the API of 2010 writes a time. */
export const oldDate = (iso: string): string => new Date(iso).toUTCString().replace("GMT", "+0000");
