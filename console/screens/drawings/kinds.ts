// Kinds, submission results and statuses of drawings, with their texts and colors.
import { text, type TextKey } from '../../data/texts.tsx'
import type { Color } from '../../parts/tags.tsx'

interface Kind {
  name: TextKey
  color: Color | 'white'
}

const kinds = <K extends string | number>(of: Record<K, readonly [TextKey, Color]>): Readonly<Record<string, Kind>> =>
  Object.fromEntries(
    Object.entries<readonly [TextKey, Color]>(of).map(([key, [name, color]]) => [key, { name, color }]),
  )

export const ACTIONS = kinds({
  IMAGINE: [text('Draw'), 'blue'],
  UPSCALE: [text('Upscale'), 'orange'],
  VARIATION: [text('Vary'), 'purple'],
  HIGH_VARIATION: [text('Strong'), 'purple'],
  LOW_VARIATION: [text('Subtle'), 'purple'],
  PAN: [text('Pan'), 'cyan'],
  DESCRIBE: [text('Describe'), 'yellow'],
  BLEND: [text('Blend'), 'lime'],
  UPLOAD: [text('Upload'), 'blue'],
  SHORTEN: [text('Shorten'), 'pink'],
  REROLL: [text('Reroll'), 'indigo'],
  INPAINT: [text('Inpaint'), 'violet'],
  ZOOM: [text('Zoom'), 'teal'],
  CUSTOM_ZOOM: [text('Custom zoom'), 'teal'],
  MODAL: [text('Window'), 'green'],
  SWAP_FACE: [text('Swap face'), 'light-green'],
})

export const CODES = kinds({
  1: [text('submitted'), 'green'],
  21: [text('waiting'), 'lime'],
  22: [text('duplicate submission'), 'orange'],
  0: [text('not submitted'), 'yellow'],
})

export const STATUSES = kinds({
  SUCCESS: [text('success'), 'green'],
  NOT_START: [text('not started'), 'grey'],
  SUBMITTED: [text('queued'), 'yellow'],
  IN_PROGRESS: [text('in progress'), 'blue'],
  FAILURE: [text('failure'), 'red'],
  MODAL: [text('window waiting'), 'yellow'],
})

const UNKNOWN: Kind = { name: text('Unknown'), color: 'white' }

export const findKind = (known: Readonly<Record<string, Kind>>, name: string | number): Kind =>
  known[String(name)] ?? UNKNOWN
