import { openStage } from "@leadline/carrier-sip-trunk/testing/start-callees";
import { startRtpengine } from "@leadline/carrier-sip-trunk/testing/start-rtpengine";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { openLossyPath } from "../../../testing/media/lossy-path.ts";
import { openTestBrowser } from "../../../testing/media/test-browser.ts";
import { onTwoLines } from "../../../testing/on-two-lines.ts";
import { puppets, stringed } from "../../../testing/puppet-carrier.ts";
import { newRep, readCall, testAppWithCalls, waitForStatus } from "../../../testing/test-calls.ts";

const stage = await openStage();
const path = await openLossyPath(await stage.keep(startRtpengine(stage.peers, { folder: stage.folder })));
const app = testAppWithCalls([stringed], { rtpengines: [path] });
const { post, change, consult, hangUp, waitFor } = onTwoLines(app);
afterAll(async () => {
  path.close();
  await stage.close();
});

test("reports a hold or key that the media server refuses and changes nothing; a far end whose re-INVITE fails is still on hold", async () => {
  const rep = await newRep(app);
  const { token } = rep;
  const connect = { kind: "stringed", label: "Line", settings: { line: "1" } };
  await app.ask("POST", "/v1/carriers", { token, body: connect });
  const browser = await openTestBrowser();
  onTestFinished(() => browser.close());
  const body = { phoneNumber: "+12025550101", offer: browser.offer };
  const { callSid, answer } = (await app.ask("POST", "/v1/calls", { token, body })).json();
  await browser.acceptAnswer(answer);
  await waitForStatus(app, rep, { callSid, status: "in-progress" });
  const commands = [
    ["play media", { held: true }],
    ["silence media", { muted: true }],
  ] as const;
  for (const [command, wanted] of commands) {
    path.loseCommand(command);
    const refused = await change(rep, callSid, wanted);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      503,
      {
        type: "/api/docs#media-unavailable",
        detail:
          "The media server for this call isn’t responding, so nothing has changed. Try again. If it doesn’t recover, the call ends.",
      },
    ]);
    path.loseNothing();
  }
  expect(await readCall(app, rep, callSid)).toMatchObject({ status: "in-progress", held: false, muted: false });

  path.loseCommand("play DTMF");
  const unsent = await post(rep, callSid, "digits", { digits: "5" });
  expect([unsent.statusCode, unsent.json()]).toMatchObject([503, { type: "/api/docs#media-unavailable" }]);
  path.loseNothing();

  // A far end that holds the call accepts no media from us.
  puppets.get(callSid)?.emit({ type: "held" });
  await waitFor(rep, callSid, { heldByThem: true });
  const unwanted = await post(rep, callSid, "digits", { digits: "5" });
  expect([unwanted.statusCode, unwanted.json()]).toMatchObject([409, { type: "/api/docs#not-supported" }]);
  puppets.get(callSid)?.emit({ type: "resumed" });
  await waitFor(rep, callSid, { heldByThem: false });
  expect((await post(rep, callSid, "digits", { digits: "5" })).statusCode).toBe(204);

  path.loseCommand("play media");
  const refused = await consult(rep, callSid, "+12025550100");
  expect([refused.statusCode, refused.json()]).toMatchObject([503, { type: "/api/docs#media-unavailable" }]);
  path.loseNothing();
  await waitFor(rep, callSid, { held: false });
  const [second] = (await app.ask("GET", "/v1/calls", { token })).json();
  expect([second, puppets.has(second.callSid)]).toMatchObject([{ status: "failed", costMicros: 0 }, false]);

  const farEnd = puppets.get(callSid);
  const untold = Promise.reject(new Error("The far end says nothing."));
  untold.catch(() => {});
  if (farEnd) farEnd.holding = untold;
  expect((await change(rep, callSid, { held: true })).json()).toMatchObject({ held: true });
  expect(farEnd?.holds).toEqual([true]);
  await hangUp(rep, callSid);
});
