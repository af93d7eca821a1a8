// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { forgetPerson } from "./forget-person.ts";
import { noteDrafts } from "./note-drafts.ts";
import { pendingInvitation } from "./pending-invitation.ts";
import { session, sessionEnded } from "./session.ts";

const signInAs = (userId: string) =>
  session.store({ accessToken: `e30.${btoa(JSON.stringify({ sub: userId }))}.x`, refreshToken: "r" });

test("logging out keeps an invitation for the next user, and an unsent note for its author", () => {
  signInAs("kim");
  noteDrafts.keep("CA1", "Half a sen");
  pendingInvitation.keep({ token: "t", email: "new@example.com", organisationName: "Harbour" });
  sessionEnded.note();
  forgetPerson();
  expect({ ...localStorage }).toEqual({});
  expect(sessionEnded.isNoted()).toBe(false);
  expect([pendingInvitation.token(), pendingInvitation.email()]).toEqual(["t", "new@example.com"]);

  signInAs("lee");
  expect([noteDrafts.all(), noteDrafts.read("CA1")]).toEqual([[], null]);
  signInAs("kim");
  expect([noteDrafts.all(), noteDrafts.read("CA1")]).toEqual([["CA1"], "Half a sen"]);
});
