// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { meQuery } from "../data/me-query.ts";
import { membersQuery } from "../data/members-query.ts";
import { showScreens } from "../routes/testing/show-screens.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";

afterEach(cleanup);

const harbour = { id: "harbour", name: "Harbour" };
const leave = (members: readonly object[], active = harbour) =>
  showScreens({
    at: "/settings/organisations",
    screens: {
      "/settings/organisations": () => <LeaveDialog organisation={harbour} ownRole="owner" onClose={() => {}} />,
      "/settings/members": () => null,
    },
    known: [
      [meQuery.queryKey, { id: "me", activeOrganisation: { ...active, role: "owner" } }],
      [membersQuery.queryKey, members],
    ],
  });
const leaveButton = () => screen.queryByRole("button", { name: "Leave" });

test("the only owner is told who must become an owner first, and where, instead of getting a Leave that is refused", async () => {
  await leave([{ role: "owner" }]);
  expect(screen.getByText(/only member\. Invite someone and make them an owner before you leave/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to members" }).getAttribute("href")).toBe("/settings/members");
  expect(leaveButton()).toBeNull();
  cleanup();
  await leave([{ role: "owner" }, { role: "member" }]);
  expect(screen.getByText("You’re its only owner. Make another member an owner before you leave.")).toBeTruthy();
  expect(leaveButton()).toBeNull();
});

test("one of several owners may leave; for an inactive organisation, an owner is told what is needed", async () => {
  await leave([{ role: "owner" }, { role: "owner" }]);
  expect(leaveButton()).not.toBeNull();
  cleanup();
  await leave([{ role: "owner" }], { id: "quay", name: "Quay" });
  expect(leaveButton()).not.toBeNull();
  expect(screen.getByText(/If it has no other owner, make another member an owner first\.$/)).toBeTruthy();
});
