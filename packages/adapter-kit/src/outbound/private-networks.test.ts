import { afterEach, expect, test } from "vitest";
import { allowPrivateNetworks, mayReach } from "./private-networks.ts";

afterEach(() => allowPrivateNetworks(["127.0.0.0/8", "::1"]));

test("only reaches public addresses, until the operator allows private networks", () => {
  allowPrivateNetworks([]);
  const internal = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.1.5", "::1", "fd00::5", "::ffff:10.1.2.3"];
  for (const address of internal) expect({ address, reached: mayReach(address) }).toEqual({ address, reached: false });
  expect(mayReach("1.1.1.1")).toBe(true);
  allowPrivateNetworks(["192.168.1.0/24", "10.1.2.3", "fd00::/8"]);
  expect(["192.168.1.5", "10.1.2.3", "fd00::5"].filter(mayReach)).toHaveLength(3);
  expect(["192.168.2.5", "10.1.2.4", "127.0.0.1", "169.254.169.254", "pbx.local", ""].filter(mayReach)).toEqual([]);
});
