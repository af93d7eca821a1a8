import { expect, test } from "vitest";
import { noConnectionProblem, ProblemError } from "../../data/problem-error.ts";
import { notReadyLabel } from "./not-ready-label.ts";

const detail = "No media server is responding. Try again in a moment.";
const refusal = new ProblemError({
  code: "media-unavailable",
  title: "No media server responding",
  detail,
  status: 503,
});

test("the network is only blamed if the server responds and no audio gets through", () => {
  expect(notReadyLabel("open", "no-way")).toBe("Your network blocks the audio. Trying again…");
  expect(notReadyLabel("open", null)).toBe("Trying again…");
  const unanswered = "Leadline isn’t responding. Trying again…";
  expect(notReadyLabel("connecting", "no-way")).toBe(unanswered);
  expect(notReadyLabel("connecting", refusal)).toBe(unanswered);
  expect(notReadyLabel("open", noConnectionProblem())).toBe(unanswered);
});
test("the server's refusal is shown in its own words", () => {
  expect(notReadyLabel("open", refusal)).toBe(detail);
});
