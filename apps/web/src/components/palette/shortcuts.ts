const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The modifier for a letter: ⌘ on Apple keyboards, Ctrl elsewhere. */
export const withCommandKey = (letter: string): string[] => [isApple ? "⌘" : "Ctrl", letter];

interface Shortcut {
  /** Pressed together. */
  keys: readonly string[];
  does: string;
}

export const shortcuts: readonly { where: string; shortcuts: readonly Shortcut[] }[] = [
  {
    where: "Everywhere",
    shortcuts: [
      { keys: withCommandKey("K"), does: "Go to a screen, find a lead or call a number" },
      { keys: withCommandKey("B"), does: "Show or hide the sidebar" },
      { keys: ["?"], does: "Show this list" },
    ],
  },
  {
    where: "In a call, on every page",
    shortcuts: [
      { keys: ["M"], does: "Mute or unmute yourself" },
      { keys: ["H"], does: "Put the call on hold, or resume it" },
      { keys: ["T"], does: "Transfer the call" },
      { keys: ["N"], does: "Write a call note" },
      { keys: ["Shift", "E"], does: "Hang up" },
    ],
  },
  {
    where: "In a call, with its keypad open on Calls",
    shortcuts: [
      { keys: ["0–9", "*", "#"], does: "Send keys" },
      { keys: ["Esc"], does: "Hide the keypad" },
    ],
  },
  {
    where: "Anywhere on Calls",
    shortcuts: [
      { keys: ["0–9", "*", "#", "+"], does: "Enter digits" },
      { keys: withCommandKey("V"), does: "Paste a number" },
      { keys: ["Enter"], does: "Call, or bring back the last number if the pad is empty" },
      { keys: ["Backspace"], does: "Delete the last digit" },
      { keys: ["Esc"], does: "Clear the pad" },
    ],
  },
];
