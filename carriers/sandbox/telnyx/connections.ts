import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { VendorResponse, VendorRequest } from "../vendor/serve-vendor.ts";
import { created, list, notFound, ok, refused } from "./answers.ts";
import type { State } from "./state.ts";

const GivenConnection = z.object({
  connection_name: z.string().min(1).optional(),
  user_name: z
    .string()
    .regex(/^(?=.{0,4}[A-Za-z])[A-Za-z0-9]{4,32}$/)
    .optional(),
  password: z.string().min(8).max(128).optional(),
  outbound: z.object({ outbound_voice_profile_id: z.string().optional() }).optional(),
});
const GivenProfile = z.looseObject({ name: z.string().min(3) });
const invalid = (detail: string): VendorResponse => refused(422, "10015", "Bad Request", detail);

/** credential_connections and outbound_voice_profiles; null for another path. */
export function answerConnections(state: State, request: VendorRequest): VendorResponse | null {
  const [, kind, id] =
    /^\/v2\/(credential_connections|outbound_voice_profiles)(?:\/([\w-]+))?$/.exec(request.path) ?? [];
  if (kind === undefined) return null;
  return kind === "credential_connections" ? connections(state, request, id) : profiles(state, request, id);
}

function connections(state: State, request: VendorRequest, id: string | undefined): VendorResponse {
  const found = state.connections.find((each) => each.id === id);
  if (id !== undefined && !found) return notFound;
  if (request.method === "GET" && found) return ok(presentConnection(found));
  if (request.method === "GET") {
    const wanted = request.query.get("filter[connection_name][contains]") ?? "";
    return list(state.connections.filter((each) => each.connection_name.includes(wanted)).map(presentConnection));
  }
  if (request.method === "DELETE") {
    state.connections = state.connections.filter((each) => each !== found);
    for (const each of state.held) if (each.connectionId === id) each.connectionId = null;
    return found ? ok(presentConnection(found)) : notFound;
  }
  const given = GivenConnection.safeParse(JSON.parse(request.body));
  if (!given.success) return invalid(given.error.message);
  const { connection_name, user_name, password, outbound } = given.data;
  if (user_name !== undefined && state.connections.some((each) => each !== found && each.user_name === user_name))
    return invalid("user_name is already in use");
  const change = {
    ...(connection_name !== undefined && { connection_name }),
    ...(user_name !== undefined && { user_name }),
    ...(password !== undefined && { password }),
    ...(outbound?.outbound_voice_profile_id !== undefined && {
      outbound_voice_profile_id: outbound.outbound_voice_profile_id,
    }),
  };
  if (found) return ok(presentConnection(Object.assign(found, change)));
  if (!connection_name || !user_name || !password)
    return invalid("connection_name, user_name and password are required");
  const made = {
    id: String(1_000_000_000_000 + state.connections.length + Date.now()),
    outbound_voice_profile_id: null,
    created_at: new Date().toISOString(),
    ...change,
    connection_name,
    user_name,
    password,
  };
  state.connections.push(made);
  return created(presentConnection(made));
}

const presentConnection = (each: State["connections"][number]) => ({
  id: each.id,
  record_type: "credential_connection",
  active: true,
  connection_name: each.connection_name,
  user_name: each.user_name,
  password: "********",
  outbound: { outbound_voice_profile_id: each.outbound_voice_profile_id ?? "" },
  created_at: each.created_at,
  updated_at: each.created_at,
});

function profiles(state: State, request: VendorRequest, id: string | undefined): VendorResponse {
  const found = state.profiles.find((each) => each.id === id);
  if (id !== undefined && !found) return notFound;
  if (request.method === "GET" && found) return ok(presentProfile(found));
  if (request.method === "GET") {
    const wanted = request.query.get("filter[name][contains]") ?? "";
    return list(state.profiles.filter(({ name }) => name.includes(wanted)).map(presentProfile));
  }
  if (request.method === "DELETE") {
    if (state.connections.some((each) => each.outbound_voice_profile_id === id))
      return refused(422, "10015", "Bad Request", "The profile is in use by a connection");
    state.profiles = state.profiles.filter((each) => each !== found);
    return found ? ok(presentProfile(found)) : notFound;
  }
  const given = GivenProfile.safeParse(JSON.parse(request.body));
  if (!given.success) return invalid(given.error.message);
  const { name, ...rest } = given.data;
  if (found) return ok(presentProfile(Object.assign(found, { name, given: { ...found.given, ...rest } })));
  const made = { id: randomUUID(), name, given: rest, created_at: new Date().toISOString() };
  state.profiles.push(made);
  return created(presentProfile(made));
}

const presentProfile = ({ id, name, given, created_at }: State["profiles"][number]) => ({
  ...given,
  id,
  name,
  record_type: "outbound_voice_profile",
  created_at,
  updated_at: created_at,
});
