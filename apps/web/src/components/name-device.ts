/** In this order, because later ones also call themselves by earlier names. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\/|\bOpera\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bCriOS\/|\b(Headless)?Chrome\/|\bChromium\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const systems: readonly [RegExp, string][] = [
  [/\biPhone\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const nameBy = (names: readonly [RegExp, string][], userAgent: string): string | undefined =>
  names.find(([sign]) => sign.test(userAgent))?.[1];

/** 'Chrome on macOS': a name for the device, from its user agent. */
export function nameDevice(userAgent: string | null): string {
  if (userAgent === null) return "Unknown device";
  const browser = nameBy(browsers, userAgent);
  const system = nameBy(systems, userAgent);
  if (browser) return system ? `${browser} on ${system}` : browser;
  return system ? `A browser on ${system}` : `A program (${userAgent.split(/[\s/]/, 1)[0]})`;
}
