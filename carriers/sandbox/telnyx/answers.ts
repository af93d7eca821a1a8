import type { VendorResponse } from "../vendor/serve-vendor.ts";

export const ok = (data: object): VendorResponse => ({ status: 200, body: { data } });
export const created = (data: object): VendorResponse => ({ status: 201, body: { data } });
export const list = (data: readonly object[]): VendorResponse => ({
  status: 200,
  body: { data, meta: { page_number: 1, page_size: 250, total_pages: 1, total_results: data.length } },
});
/** The page that was asked for. */
export function listPage(data: readonly object[], query: URLSearchParams): VendorResponse {
  const size = Number(query.get("page[size]") ?? 20);
  const number = Number(query.get("page[number]") ?? 1);
  const meta = {
    page_number: number,
    page_size: size,
    total_pages: Math.ceil(data.length / size),
    total_results: data.length,
  };
  return { status: 200, body: { data: data.slice((number - 1) * size, number * size), meta } };
}
/** As "API errors" has it. */
export const refused = (status: number, code: string, title: string, detail: string): VendorResponse => ({
  status,
  body: {
    errors: [{ code, title, detail, meta: { url: `https://developers.telnyx.com/docs/overview/errors/${code}` } }],
  },
});
export const notFound: VendorResponse = refused(
  404,
  "10005",
  "Resource not found",
  "The requested resource or URL could not be found.",
);
