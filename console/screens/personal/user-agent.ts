// Parses the name of a browser and of its system from its user agent: just enough to distinguish devices.

/** The first match wins, so browsers that imitate another come before it. */
const BROWSERS: readonly [sign: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, 'Edge'],
  [/\b(?:OPR|OPiOS|Opera)\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\bVivaldi\/(\d+)/, 'Vivaldi'],
  [/\bMicroMessenger\/(\d+)/, 'WeChat'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//, 'Safari'],
  [/\bcurl\/(\d+)/, 'curl'],
]

const SYSTEMS: readonly [sign: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

export interface Device {
  /** Includes the version: `Firefox 140`. */
  browser?: string
  system?: string
}

/** Returns the parts that the header contains. */
export function parseUserAgent(userAgent: string): Device {
  const named = BROWSERS.find(([sign]) => sign.test(userAgent))
  const version = named?.[0].exec(userAgent)?.[1]
  const system = SYSTEMS.find(([sign]) => sign.test(userAgent))?.[1]
  return { ...(named ? { browser: `${named[1]} ${version}` } : {}), ...(system ? { system } : {}) }
}
