// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { showScreens } from "../../routes/testing/show-screens.tsx";
import { RegisterScreen } from "../register/register-screen.tsx";
import { LoginScreen } from "./login-screen.tsx";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const screens = { "/login": LoginScreen, "/register": RegisterScreen };
const type = (label: string, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });

test("focuses the password after a wrong one", async () => {
  const refusal = {
    type: "/api/docs#wrong-credentials",
    title: "No",
    status: 401,
    detail: "Incorrect email or password.",
  };
  const headers = { "content-type": "application/problem+json" };
  vi.stubGlobal("fetch", async () => Response.json(refusal, { status: 401, headers }));
  await showScreens({ at: "/login", screens });
  type("Email", "bob@stone.example");
  type("Password", "not the password");
  fireEvent.click(screen.getByRole("button", { name: "Login" }));
  await screen.findByText("Incorrect email or password.");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Password")));
});

test("fills in the email after registering", async () => {
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json(
      url.includes("login-options") ? { registration: "open", hostedLogin: null } : { confirmationMailed: false },
    ),
  );
  await showScreens({ at: "/register", screens });
  await screen.findByLabelText("First name");
  type("First name", "Bob");
  type("Last name", "Stone");
  type("Email", "bob@stone.example");
  type("Password", "a long enough Passw0rd!");
  fireEvent.click(screen.getByRole("button", { name: "Create account" }));
  await screen.findByText(/Successfully registered/);
  fireEvent.click(screen.getByRole("link", { name: "Login" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Email")).value).toBe("bob@stone.example");
});
