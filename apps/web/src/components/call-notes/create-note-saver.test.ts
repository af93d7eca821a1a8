import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createNoteDrafts } from "../../data/note-drafts.ts";
import { createNoteSaver } from "./create-note-saver.ts";

/** The part of the browser's storage that drafts use. */
function memory(): Storage {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}

let drafts = createNoteDrafts(memory(), () => "u");
let sent: { note: string; settle: (error?: Error) => Promise<void> }[] = [];
const save = (note: string) =>
  new Promise<void>((resolve, reject) => {
    sent.push({
      note,
      settle: async (error) => {
        if (error) reject(error);
        else resolve();
        await vi.advanceTimersByTimeAsync(0);
      },
    });
  });
const open = (note = "") => createNoteSaver({ callSid: "CA1", note, save, drafts });
const notesSent = () => sent.map(({ note }) => note);

beforeEach(() => {
  vi.useFakeTimers();
  drafts = createNoteDrafts(memory(), () => "u");
  sent = [];
});
afterEach(() => void vi.useRealTimers());

test("sends what is typed once typing pauses, once, and shows it as saved when the server has it", async () => {
  const saver = open();
  for (const text of ["W", "Wa", "Wants", "Wants a quote"]) saver.type(text);
  expect([saver.getState().status, notesSent()]).toEqual(["unsaved", []]);
  await vi.advanceTimersByTimeAsync(800);
  expect([saver.getState().status, notesSent()]).toEqual(["saving", ["Wants a quote"]]);
  await sent[0]?.settle();
  expect(saver.getState()).toEqual({ status: "saved", text: "Wants a quote", problem: null });
  expect(drafts.all()).toEqual([]);
});

test("sends what is typed during a request after it, never at the same time", async () => {
  const saver = open();
  saver.type("One");
  saver.flush();
  saver.type("One, two");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(notesSent()).toEqual(["One"]);
  await sent[0]?.settle();
  expect([saver.getState().status, notesSent()]).toEqual(["saving", ["One", "One, two"]]);
  await sent[1]?.settle();
  expect(saver.getState().status).toBe("saved");
});

test("reports a failure, keeps the text, and retries automatically and on request", async () => {
  const saver = open();
  saver.type("Call back at nine");
  saver.flush();
  await sent[0]?.settle(new Error("no network"));
  expect(saver.getState()).toMatchObject({ status: "failed", text: "Call back at nine" });
  expect(drafts.read("CA1")).toBe("Call back at nine");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(notesSent()).toHaveLength(2);
  await sent[1]?.settle(new Error("no network"));
  saver.flush();
  await sent[2]?.settle();
  expect([saver.getState().status, drafts.all()]).toEqual(["saved", []]);
});

test("finds what was typed after the page is reloaded, and sends it", async () => {
  open().type("Half a sen");
  const reloaded = open("Half");
  expect(reloaded.getState()).toMatchObject({ status: "unsaved", text: "Half a sen" });
  await vi.advanceTimersByTimeAsync(800);
  expect(notesSent().at(-1)).toBe("Half a sen");
});

test("removes a draft that the server already has", () => {
  drafts.keep("CA1", "Done");
  expect(open("Done").getState().status).toBe("saved");
  expect(drafts.all()).toEqual([]);
});

test("accepts a change from elsewhere, unless something has been typed here", async () => {
  const saver = open("Old");
  saver.adopt("By an admin");
  expect(saver.getState()).toEqual({ status: "saved", text: "By an admin", problem: null });
  saver.type("Mine");
  saver.adopt("By an admin, again");
  expect(saver.getState().text).toBe("Mine");
  await vi.advanceTimersByTimeAsync(800);
  expect(notesSent()).toEqual(["Mine"]);
});
