// Derives the console's colours from the operator's colour, and checks that text in them is readable. Contrast after
// WCAG 2.2.

type Rgb = readonly [red: number, green: number, blue: number]

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i
const WHITE: Rgb = [255, 255, 255]
/** Minimum contrast of small text (WCAG 1.4.3). */
export const MIN_TEXT_CONTRAST = 4.5
/** The ground of the console in the dark. */
const DARK_GROUND: Rgb = [22, 22, 26]

/** Parses `#rrggbb`; null for any other text. */
function parseRgb(color: string): Rgb | null {
  const found = HEX.exec(color)
  return found ? [parseInt(found[1]!, 16), parseInt(found[2]!, 16), parseInt(found[3]!, 16)] : null
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const mixed = (one: Rgb, other: Rgb, share: number): Rgb =>
  one.map((value, at) => Math.round(value + (other[at]! - value) * share)) as unknown as Rgb

const toHex = (color: Rgb): string => `#${color.map((value) => value.toString(16).padStart(2, '0')).join('')}`

/** Returns the contrast of white text on a color, from 1 to 21; null if it is not a color. */
export function contrastWithWhite(color: string): number | null {
  const rgb = parseRgb(color)
  return rgb && contrast(rgb, WHITE)
}

/** The nearest to the colour, on the way to `towards`, that can be read on each ground. */
function readable(color: Rgb, grounds: readonly Rgb[], towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.04) {
    const tried = mixed(color, towards, share)
    if (grounds.every((ground) => contrast(tried, ground) >= MIN_TEXT_CONTRAST)) return tried
  }
  return towards
}

/** Returns the console's custom properties for the color; empty if it is invalid. */
export function buildThemeProperties(color: string, dark: boolean): Record<string, string> {
  const own = parseRgb(color)
  if (!own) return {}
  const black: Rgb = [0, 0, 0]
  const hover = mixed(own, black, 0.12)
  const ground = dark ? DARK_GROUND : WHITE
  const tints = (dark ? [0.2, 0.3, 0.4] : [0.1, 0.16, 0.24]).map((share) => mixed(ground, own, share))
  const [light, lightHover, lightActive] = tints.map(toHex)
  const link = readable(own, [ground, ...tints], dark ? WHITE : black)
  return {
    '--semi-color-primary': toHex(own),
    '--semi-color-primary-hover': toHex(hover),
    '--semi-color-primary-active': toHex(mixed(own, black, 0.22)),
    '--semi-color-primary-disabled': toHex(mixed(ground, own, 0.4)),
    '--semi-color-primary-light-default': light!,
    '--semi-color-primary-light-hover': lightHover!,
    '--semi-color-primary-light-active': lightActive!,
    '--semi-color-link': toHex(link),
    '--semi-color-link-hover': toHex(link),
    '--semi-color-link-active': toHex(link),
    '--semi-color-link-visited': toHex(link),
    '--semi-color-focus-border': toHex(link),
    '--bulk-ground': light!,
    '--brand-from': toHex(link),
    '--brand-to': toHex(link),
  }
}
