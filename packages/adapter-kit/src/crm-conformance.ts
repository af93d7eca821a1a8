import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeBulk } from "./conformance/crm-bulk.ts";
import { describeCalls } from "./conformance/crm-calls.ts";
import { describeLimits } from "./conformance/crm-limits.ts";
import { describeLeads } from "./conformance/crm-leads.ts";
import { describeMappings } from "./conformance/crm-mappings.ts";
import { describeWebhooks } from "./conformance/crm-webhooks.ts";
import { describeWriting, describeWritingInTrouble } from "./conformance/crm-writing.ts";
import { createCrmHands, type CrmHands, faultOf, idsOf } from "./conformance/crm-hands.ts";
import { type Crm, CrmError } from "./crm.ts";
import type { CrmWrittenField } from "./crm-lead-writer.ts";

/** As the CRM sends it. */
export interface CrmReport {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string;
}

/** A CRM for tests, with functions that act as its users and operators. */
export interface CrmUnderTest {
  crm: Crm;
  workspace: string | null;
  callbackUrl: string;
  /** The host of a customer's workspace. Null if the CRM has one host for all customers. */
  vendorHost: string | null;
  /** What proves that a code is redeemed by the client that requested it. */
  provesBy: "pkce" | "client-secret";
  /** What ends when access is revoked: the access token too, only the refresh token, or nothing, so that both expire. */
  revocationEnds: "access" | "refresh" | "nothing";
  tellsDeletions: boolean;
  /** The source of its leads, by its display name. */
  sourceName: string;
  /** How many leads it has: more than one page. */
  leadCount(): number;
  /** Answers the consent page and returns the query of the callback. */
  consent(authoriseUrl: string, decision: "allow" | "deny"): Promise<URLSearchParams>;
  /** Returns the external id of the changed or deleted lead. */
  changeLead(change: { lastName: string }): Promise<string>;
  deleteLead(): Promise<string>;
  /** The leads stored in the CRM. The status is the CRM's own value. */
  leads(): ({ id: string } & Record<CrmWrittenField, string>)[];
  /** The calls stored in the CRM. */
  writtenCalls(): { callSid: string; leadExternalId: string; note: string }[];
  deleteCall(externalId: string): void;
  /** From now on, the customer's other apps leave this many requests. Null: they send none. */
  leaveRequests(left: number | null): void;
  /** From now on, changes are reported there, if the CRM does so. The status it answers is the receiver's. */
  sendReports(target: { url: URL; send(report: CrmReport): Promise<number> } | null): void;
  /** Makes the access tokens expire. */
  expireAccess(): void;
  /** Revokes Leadline's access in the CRM. */
  endAllGrants(): void;
  /** Makes an API request fail, after skipping `after` requests. */
  fail(fault: {
    status?: number;
    retryAfterSeconds?: number;
    delayMs?: number;
    /** Answers with this page or plain text instead, like a proxy, with the status or else 200. */
    page?: string;
    /** Carries out the request, then sends half of the answer. */
    cutsAnswer?: boolean;
    /** Closes the connection instead of answering. */
    loseAnswer?: boolean;
    after?: number;
    /** Among the requests that find or write a lead. */
    ofLead?: boolean;
  }): void;
  close(): Promise<void>;
}

/** The tests that every CRM must pass before it is listed in the server's adapters. */
export function describeCrmConformance(name: string, open: () => Promise<CrmUnderTest>): void {
  describe(`${name} keeps a CRM's promises`, { timeout: 60_000 }, () => {
    let test: CrmUnderTest;
    beforeAll(async () => {
      test = await open();
    });
    afterAll(() => test.close());

    const tested = { test: () => test, ...createCrmHands(() => test) };
    describeAccess(tested);
    describeLeads(tested);
    describeBulk(tested);
    describeMappings(tested);
    describeCalls(tested);
    describeLimits(tested);
    describeWriting(tested);
    describeWritingInTrouble(tested);
    describeWebhooks(tested);
    describeTrouble(tested);
    describeWorkspace(tested);
  });
}

export interface Tested extends CrmHands {
  test: () => CrmUnderTest;
}

function describeAccess({ test, login, begin, connect, read }: Tested): void {
  describe("access", () => {
    it("is requested with the state, and with an S256 challenge if there is no client secret, and the state is returned", async () => {
      const { url, state } = begin();
      const query = new URL(url).searchParams;
      const challenge = `${query.get("code_challenge_method")} ${query.get("code_challenge")}`;
      expect(challenge).toMatch(test().provesBy === "pkce" ? /^S256 [\w-]{43}$/ : /^null null$/);
      expect(query.get("redirect_uri")).toBe(test().callbackUrl);
      const answer = await test().consent(url, "allow");
      expect(answer.get("state")).toBe(state);
      expect(answer.get("code")).not.toBeNull();
    });

    it("that is denied returns an error with the state", async () => {
      const { url, state } = begin();
      const answer = await test().consent(url, "deny");
      expect([answer.get("code"), answer.get("state")]).toEqual([null, state]);
      expect(answer.get("error")).toMatch(/denied/);
    });

    it("is refused with another login's verifier", async (context) => {
      if (test().provesBy !== "pkce") context.skip("a secret proves the app");
      const code = (await test().consent(begin().url, "allow")).get("code") ?? "";
      const stolen = test().crm.exchangeCode({ ...login(), code, codeVerifier: begin().codeVerifier });
      expect(await faultOf(stolen)).toBe("grant-refused");
    });

    it("is granted once per code", async () => {
      const { url, codeVerifier } = begin();
      const code = (await test().consent(url, "allow")).get("code") ?? "";
      const exchange = () => test().crm.exchangeCode({ ...login(), code, codeVerifier });
      const grant = await exchange();
      expect(grant.accessToken).not.toBe("");
      expect(JSON.parse(JSON.stringify(grant))).toEqual(grant);
      expect(grant.expiresAt === null || Date.parse(grant.expiresAt) > Date.now()).toBe(true);
      expect(await faultOf(exchange())).toBe("grant-refused");
    });

    it("that has expired is reported as such, and refreshed", async () => {
      const grant = await connect();
      test().expireAccess();
      expect(await faultOf(read(grant, null))).toBe("access-refused");
      const fresh = await test().crm.refresh(test().workspace, grant);
      expect(fresh.accessToken).not.toBe(grant.accessToken);
      expect(await faultOf(read(fresh, null))).toBe("none");
      // Refreshing works repeatedly, not just once.
      const fresher = await test().crm.refresh(test().workspace, fresh);
      expect(await faultOf(read(fresher, null))).toBe("none");
    });

    it("ends if a replaced refresh token is used again", async () => {
      const grant = await connect();
      const fresh = await test().crm.refresh(test().workspace, grant);
      if (fresh.refreshToken === grant.refreshToken) return;
      expect(await faultOf(test().crm.refresh(test().workspace, grant))).toBe("grant-refused");
      expect(await faultOf(test().crm.refresh(test().workspace, fresh))).toBe("grant-refused");
    });

    it("that was revoked, by the CRM or by us, is not refreshed", async () => {
      const taken = await connect();
      test().endAllGrants();
      expect(await faultOf(test().crm.refresh(test().workspace, taken))).toBe("grant-refused");
      const given = await connect();
      await test().crm.revoke(test().workspace, given);
      const { revocationEnds } = test();
      expect(await faultOf(read(given, null))).toBe(revocationEnds === "access" ? "access-refused" : "none");
      const refreshed = revocationEnds === "nothing" ? "none" : "grant-refused";
      expect(await faultOf(test().crm.refresh(test().workspace, given))).toBe(refreshed);
    });
  });
}

function describeTrouble({ test, connect, read, readAll }: Tested): void {
  describe("trouble", () => {
    const troubles = [
      ["too many requests", { status: 429, retryAfterSeconds: 7 }, { fault: "limited", retryAfterMs: 7_000 }],
      ["a failing server", { status: 500 }, { fault: "unreachable", retryAfterMs: null }],
      ["an overloaded server", { status: 503, retryAfterSeconds: 2 }, { fault: "unreachable", retryAfterMs: 2_000 }],
      ["a connection that ends", { loseAnswer: true }, { fault: "unreachable", retryAfterMs: null }],
    ] as const;
    it.each(troubles)("%s is reported as such, with the requested delay", async (_, fault, expected) => {
      const grant = await connect();
      test().fail(fault);
      const error = await read(grant, null).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(CrmError);
      expect(error).toMatchObject(expected);
      expect(await faultOf(read(grant, null))).toBe("none");
    });

    it("during a read loses nothing: the same cursor returns the same page again", async () => {
      const grant = await connect();
      const first = await read(grant, null);
      test().fail({ loseAnswer: true });
      expect(await faultOf(read(grant, first.cursor))).toBe("unreachable");
      const rest = await readAll(grant, first.cursor);
      expect(new Set([...idsOf(first.leads), ...idsOf(rest.leads)]).size).toBe(test().leadCount());
    });

    it("no error contains a secret", async () => {
      const grant = await connect();
      test().endAllGrants();
      const errors = await Promise.all([
        read(grant, null).catch((error: unknown) => error),
        test()
          .crm.refresh(test().workspace, grant)
          .catch((error: unknown) => error),
      ]);
      for (const error of errors) {
        const told = inspect(error, { depth: 5, showHidden: true });
        expect(told).not.toContain(grant.accessToken);
        expect(told).not.toContain(grant.refreshToken ?? "no such");
      }
    });
  });
}

function describeWorkspace({ test }: Pick<Tested, "test">): void {
  describe("a workspace", () => {
    it("of the CRM is accepted unchanged", () => {
      expect(test().crm.readWorkspace(` ${test().workspace ?? ""} `)).toBe(test().workspace);
    });

    it("must not be a URL, another host, or a name that only resembles one of its own", () => {
      const { crm, vendorHost } = test();
      const taken = hostileDomains(vendorHost ?? "app.vendor.example").filter((typed) => {
        try {
          crm.readWorkspace(typed);
          return true;
        } catch (error) {
          return !(error instanceof CrmError && error.fault === "workspace-refused");
        }
      });
      expect(taken).toEqual([]);
      expect(crm.readWorkspace(vendorHost ?? "")).toBe(vendorHost);
    });
  });
}

/** Domains with which an attacker would make a server call itself, its neighbours, or the attacker's server. */
function hostileDomains(vendorHost: string): string[] {
  const parent = vendorHost.split(".").slice(-2).join(".");
  const addresses = "127.0.0.1 10.0.0.5 192.168.1.1 169.254.169.254 [::1] ::1 2130706433 0x7f000001 0177.0.0.1 127.1";
  return [
    ...addresses.split(" "),
    "https://127.0.0.1/",
    "https://[::1]/",
    "http://localhost:5432",
    "localhost",
    "localhost.localdomain",
    "metadata.google.internal",
    "evil.example",
    `evil.example#.${parent}`,
    `evil.example/.${parent}`,
    `evil.example?.${parent}`,
    `evil.example\\.${parent}`,
    `evil.example%2f.${parent}`,
    `https://evil.example#.${parent}`,
    `https://${vendorHost}@evil.example/`,
    `user@${vendorHost}`,
    `https://user:secret@${vendorHost}/`,
    `${vendorHost}:8443`,
    `https://${vendorHost}:8443/`,
    `${vendorHost}.`,
    `${vendorHost}.evil.example`,
    `evil${parent}`,
    `${parent}.evil.example`,
    `.${parent}`,
    `-.${parent}`,
    `acme..${parent}`,
    `${vendorHost}\u0000.evil.example`,
    vendorHost.replaceAll(".", "\u3002"),
    `\uff41${vendorHost}`,
    `ftp://${vendorHost}`,
    "file:///etc/passwd",
  ];
}
