import { createCrmHands } from "@leadline/adapter-kit/conformance/crm-hands";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openAgainstSandbox } from "./testing/open-against-sandbox.ts";

describe("the limit", () => {
  let test: Awaited<ReturnType<typeof openAgainstSandbox>>;
  beforeAll(async () => {
    test = await openAgainstSandbox();
  });
  afterAll(() => test.close());

  it("is asked for if no response has told it", async () => {
    const grant = await createCrmHands(() => test).connect();
    test.leaveRequests(1_234);
    expect(await test.crm.readLimit(grant)).toEqual({ left: 1_233, most: 15_000, windowMs: 86_400_000 });
  });

  it("isn't known if the user may not read it", async () => {
    const grant = await createCrmHands(() => test).connect();
    test.fail({ status: 403 });
    expect(await test.crm.readLimit(grant)).toBeNull();
  });
});
