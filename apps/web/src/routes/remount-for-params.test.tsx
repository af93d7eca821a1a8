// @vitest-environment happy-dom
import { Outlet, useParams } from "@tanstack/react-router";
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { showScreens } from "./testing/show-screens.tsx";

afterEach(cleanup);

function LeadPage() {
  const { leadId } = useParams({ from: "/signed-in/leads/$leadId" });
  const [note, setNote] = useState("");
  return <input aria-label={`Note about ${leadId}`} value={note} onChange={(event) => setNote(event.target.value)} />;
}
/** Like the frame around the screens, whose phone must survive every navigation. */
function Frame() {
  const [dialled, setDialled] = useState("");
  return (
    <>
      <input aria-label="Dialled" value={dialled} onChange={(event) => setDialled(event.target.value)} />
      <Outlet />
    </>
  );
}
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

test("text typed on one lead's page doesn't appear on another's, and the frame around both stays mounted", async () => {
  const { router } = await showScreens({ at: "/leads/ann", screens: { "/leads/$leadId": LeadPage }, layout: Frame });
  type("Dialled", "+1202");
  type("Note about ann", "Wants a quote");
  await act(() => router.navigate({ href: "/leads/bob" }));
  expect([value("Note about bob"), value("Dialled")]).toEqual(["", "+1202"]);
  type("Note about bob", "Call on Monday");
  await act(() => router.navigate({ href: "/leads/bob?tab=calls" }));
  expect(value("Note about bob")).toBe("Call on Monday");
});
