// Kinds, submission results and statuses of drawings, with their texts and colors.
import { text, type TextKey } from '../../data/texts.tsx'
import type { TagColor } from '../../parts/text/tags.tsx'

interface DrawingKind {
  name: TextKey
  color: TagColor | 'white'
}

const kinds = <K extends string | number>(
  of: Record<K, readonly [TextKey, TagColor]>,
): Readonly<Record<string, DrawingKind>> =>
  Object.fromEntries(
    Object.entries<readonly [TextKey, TagColor]>(of).map(([key, [name, color]]) => [key, { name, color }]),
  )

export const DRAWING_ACTIONS = kinds({
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

export const DRAWING_CODES = kinds({
  1: [text('submitted'), 'green'],
  21: [text('waiting'), 'lime'],
  22: [text('duplicate submission'), 'orange'],
  0: [text('not submitted'), 'yellow'],
})

export const DRAWING_STATUSES = kinds({
  SUCCESS: [text('success'), 'green'],
  NOT_START: [text('not started'), 'grey'],
  SUBMITTED: [text('queued'), 'yellow'],
  IN_PROGRESS: [text('in progress'), 'blue'],
  FAILURE: [text('failure'), 'red'],
  MODAL: [text('window waiting'), 'yellow'],
})

const UNKNOWN: DrawingKind = { name: text('Unknown'), color: 'white' }

export const findDrawingKind = (known: Readonly<Record<string, DrawingKind>>, name: string | number): DrawingKind =>
  known[String(name)] ?? UNKNOWN
