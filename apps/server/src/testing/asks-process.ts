import { randomUUID } from "node:crypto";
import { type ClientRequest, request } from "node:http";

export interface ProcessRep {
  token: string;
  organisationId: string;
}

/** API requests of the users of a Leadline that runs as its own process (start-process.ts). */
export function asksProcess(origin: () => string) {
  async function ask(method: string, path: string, options: { token?: string; body?: object; key?: string } = {}) {
    const answer = await fetch(`${origin()}/api${path}`, {
      method,
      headers: {
        ...(options.body && { "content-type": "application/json" }),
        ...(options.token && { authorization: `Bearer ${options.token}` }),
        ...(options.key && { "idempotency-key": options.key }),
      },
      ...(options.body && { body: JSON.stringify(options.body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === "" ? null : JSON.parse(text) };
  }

  async function newRep(): Promise<ProcessRep> {
    const person = { email: `${randomUUID()}@example.com`, password: `pass ${randomUUID()}` };
    await ask("POST", "/v1/register", { body: { firstName: "Robin", lastName: "Tester", ...person } });
    const { token } = (await ask("POST", "/v1/login", { body: person })).json;
    const made = await ask("POST", "/v1/organisations", { token, body: { name: "Faults" } });
    return { token, organisationId: made.json.id };
  }

  /** A tab's open event stream, without which a call ends after 15 s. */
  async function attend(rep: ProcessRep): Promise<ClientRequest> {
    const stream = request(`${origin()}/api/v1/events`, { headers: { authorization: `Bearer ${rep.token}` } });
    stream.on("error", () => {});
    await new Promise((resolve) => stream.once("response", resolve).end());
    return stream;
  }

  return { ask, newRep, attend };
}
