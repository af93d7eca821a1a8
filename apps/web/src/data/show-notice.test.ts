// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { chooseNotice } from "./notice-choices.ts";
import { noticePermission, showNotice } from "./show-notice.ts";

const shown: { title: string; body: string | undefined; tag: string | undefined }[] = [];
class SystemNotice extends EventTarget {
  static permission: NotificationPermission = "granted";
  constructor(title: string, { body, tag }: NotificationOptions = {}) {
    super();
    shown.push({ title, body, tag });
  }
  close(): void {
    shown.pop();
  }
}
const notice = { about: "call-ended", title: "Call ended", body: "They hung up.", tag: "CA1" } as const;

beforeEach(() => {
  shown.length = 0;
  SystemNotice.permission = "granted";
  vi.stubGlobal("Notification", SystemNotice);
  vi.spyOn(document, "hasFocus").mockReturnValue(false);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a user who looks elsewhere is notified, and one who looks at the page isn't", () => {
  showNotice(notice);
  expect(shown).toEqual([{ title: "Call ended", body: "They hung up.", tag: "CA1" }]);
  showNotice({ ...notice, tag: "CA2" })();
  expect(shown).toHaveLength(1);
  vi.spyOn(document, "hasFocus").mockReturnValue(true);
  showNotice(notice);
  expect(shown).toHaveLength(1);
});

test("a notice that is switched off, or not allowed by the browser, isn't shown", () => {
  chooseNotice("call-ended", false);
  showNotice(notice);
  chooseNotice("call-ended", true);
  SystemNotice.permission = "denied";
  showNotice(notice);
  vi.unstubAllGlobals();
  vi.stubGlobal("Notification", undefined);
  expect(shown).toEqual([]);
});

test("a browser without notifications says so", () => {
  Reflect.deleteProperty(globalThis, "Notification");
  expect(noticePermission()).toBe("unsupported");
  showNotice(notice);
  expect(shown).toEqual([]);
});
