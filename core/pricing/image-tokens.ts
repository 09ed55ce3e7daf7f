// Counts the tokens of an image in a prompt, by model, size and detail (docs/billing.md, 12.3).

/** Pixels. */
export interface ImageSize {
  width: number
  height: number
}

type TokenMethod =
  | { kind: 'fixed'; tokens: number }
  /** Squares of 512 pixels; low detail costs the base alone. */
  | { kind: 'tile'; base: number; tile: number }
  /** Squares of 32 pixels, at most 1536 of them. */
  | { kind: 'patch'; multiplier: number }

/** First match wins; without a match a picture is counted in tiles of 85 and 170. */
const methods: [test: RegExp, method: TokenMethod][] = [
  [/^glm-4/, { kind: 'fixed', tokens: 1047 }],
  // Three times the base of the default: the estimate for providers with an unpublished method.
  [/^(claude|gemini)/, { kind: 'fixed', tokens: 255 }],
  [/^gpt-4o-mini/, { kind: 'tile', base: 2833, tile: 5667 }],
  [/^gpt-(4\.1|5)-mini/, { kind: 'patch', multiplier: 1.62 }],
  [/^gpt-(4\.1|5)-nano/, { kind: 'patch', multiplier: 2.46 }],
  [/^o4-mini/, { kind: 'patch', multiplier: 1.72 }],
  [/^gpt-5/, { kind: 'tile', base: 70, tile: 140 }],
  [/^o[13]/, { kind: 'tile', base: 75, tile: 150 }],
  [/^computer-use-preview/, { kind: 'tile', base: 65, tile: 129 }],
]
const DEFAULT: TokenMethod = { kind: 'tile', base: 85, tile: 170 }

const TILE = 512
const PATCH = 32
const MAX_PATCHES = 1536
/** Pictures are scaled until their short side is this long. */
const SHORT_SIDE = 768

/** Detail `auto`, empty or missing means `high`. */
export function countImageTokens(model: string, { width, height }: ImageSize, detail?: string): number {
  const method = methods.find(([test]) => test.test(model))?.[1] ?? DEFAULT
  if (method.kind === 'fixed') return method.tokens
  if (method.kind === 'patch') return Math.round(patches(width, height) * method.multiplier)
  if (detail === 'low') return method.base
  return tiles(width, height) * method.tile + method.base
}

/** The fit into 2048 x 2048 that comes first changes nothing: the short side is scaled to its length up or down. */
function tiles(width: number, height: number): number {
  const scale = SHORT_SIDE / Math.min(width, height)
  return squares(width * scale, TILE) * squares(height * scale, TILE)
}

function patches(width: number, height: number): number {
  const count = squares(width, PATCH) * squares(height, PATCH)
  if (count <= MAX_PATCHES) return count
  const shrink = Math.sqrt((PATCH * PATCH * MAX_PATCHES) / (width * height))
  const whole = (side: number) => Math.floor((side * shrink) / PATCH) / ((side * shrink) / PATCH)
  const ratio = shrink * Math.min(whole(width), whole(height))
  return Math.min(squares(width * ratio, PATCH) * squares(height * ratio, PATCH), MAX_PATCHES)
}

/** Squares along a side; a hair over the edge (binary fractions) is no square more. */
const squares = (side: number, of: number): number => Math.max(1, Math.ceil(side / of - 1e-9))
