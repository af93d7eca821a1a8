import type { Limits } from "@leadline/contract/limits";
import type { TestApp, TestPerson } from "./test-app.ts";

/** An organisation's limits and calls over HTTP, as a person with their password. */
export const limitRequests = (app: TestApp) => ({
  call: (by: TestPerson, phoneNumber: string) =>
    app.ask("POST", "/v1/calls", { token: by.token, body: { phoneNumber } }),
  hangUp: (by: TestPerson, callSid: string) => app.ask("POST", `/v1/calls/${callSid}/hang-up`, { token: by.token }),
  get: (by: TestPerson) => app.ask("GET", "/v1/limits", { token: by.token }),
  put: (by: TestPerson, body: Partial<Limits>) =>
    app.ask("PUT", "/v1/limits", { token: by.token, body: { ...body, currentPassword: by.password } }),
});
