import { afterEach, describe, expect, it } from "vitest";
import type { Tested } from "../crm-conformance.ts";
import { faultOf } from "./crm-hands.ts";

export function describeLimits({ test, connect, read }: Tested): void {
  describe("limits", () => {
    afterEach(() => test().leaveRequests(null));

    it("are known after each response, and count down", async () => {
      const grant = await connect();
      await read(grant, null);
      test().leaveRequests(20);
      await read(grant, null);
      const first = await test().crm.readLimit(grant);
      await read(grant, null);
      const second = await test().crm.readLimit(grant);
      expect(first?.left).toBeLessThan(20);
      expect(second?.left).toBeLessThan(first?.left ?? 0);
      expect(second).toMatchObject({ most: first?.most, windowMs: first?.windowMs });
      expect(first?.most).toBeGreaterThan(20);
    });

    it("that are used up are reported as such, until requests are accepted again", async () => {
      const grant = await connect();
      test().leaveRequests(0);
      expect(await faultOf(read(grant, null))).toBe("limited");
      test().leaveRequests(null);
      expect(await faultOf(read(grant, null))).toBe("none");
    });
  });
}
