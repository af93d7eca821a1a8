import { askAt, newCredentials } from "../../testing/sign-up.ts";

export interface Caller {
  token: string;
}

/** Users with an organisation each, one per call. Each has its own address: one address may only register a hundred. */
export async function signUpCallers(address: string, count: number): Promise<Caller[]> {
  const callers: Caller[] = [];
  for (let person = 0; person < count; person++)
    callers.push(await signUpFrom(address, `10.0.${person >> 8}.${person & 255}`));
  return callers;
}

async function signUpFrom(address: string, from: string): Promise<Caller> {
  const credentials = newCredentials();
  const registered = await fetch(`${address}/api/v1/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ firstName: "Robin", lastName: "Bench", ...credentials }),
  });
  if (!registered.ok) throw new Error(`registering answered ${registered.status}`);
  const { token } = await askAt(address, "/v1/login", { body: credentials });
  await askAt(address, "/v1/organisations", { body: { name: "Bench" }, token });
  return { token };
}
