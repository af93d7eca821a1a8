import { json, type SandboxResponse } from "../exchange.ts";
import { apiError } from "./errors.ts";

const at = "2025-01-06T09:00:00.000Z";
const owner = (id: string, firstName: string, lastName: string) => ({
  id,
  email: `${firstName}.${lastName}@sandbox.example`.toLowerCase(),
  type: "PERSON",
  firstName,
  lastName,
  userId: Number(id) + 1_000,
  userIdIncludingInactive: Number(id) + 1_000,
  createdAt: at,
  updatedAt: at,
  archived: false,
});
/** The account's users. */
export const owners = [owner("41", "Noor", "Blake"), owner("42", "Sam", "Ortiz"), owner("43", "Ida", "Holm")];

/** GET /crm/v3/owners, page by page. */
export function listOwners(query: URLSearchParams): SandboxResponse {
  const limit = Number(query.get("limit") ?? 100);
  const from = Number(query.get("after") ?? 0);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500 || !Number.isInteger(from))
    return apiError(400, "limit must be between 1 and 500", { category: "VALIDATION_ERROR" });
  const results = owners.slice(from, from + limit);
  const next = from + limit;
  return json(200, { results, ...(next < owners.length ? { paging: { next: { after: String(next) } } } : {}) });
}
