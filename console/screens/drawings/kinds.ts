// Kinds, submission results and statuses of drawings, with their texts and colors.
import type { Color } from '../../parts/tags.tsx'
import type { words } from './texts.ts'

type Word = keyof (typeof words)['en']
interface Kind {
  word: Word
  color: Color | 'white'
}

const kinds = <K extends string | number>(of: Record<K, readonly [Word, Color]>): Readonly<Record<string, Kind>> =>
  Object.fromEntries(Object.entries<readonly [Word, Color]>(of).map(([name, [word, color]]) => [name, { word, color }]))

export const ACTIONS = kinds({
  IMAGINE: ['imagine', 'blue'],
  UPSCALE: ['upscale', 'orange'],
  VARIATION: ['variation', 'purple'],
  HIGH_VARIATION: ['highVariation', 'purple'],
  LOW_VARIATION: ['lowVariation', 'purple'],
  PAN: ['pan', 'cyan'],
  DESCRIBE: ['describe', 'yellow'],
  BLEND: ['blend', 'lime'],
  UPLOAD: ['upload', 'blue'],
  SHORTEN: ['shorten', 'pink'],
  REROLL: ['reroll', 'indigo'],
  INPAINT: ['inpaint', 'violet'],
  ZOOM: ['zoom', 'teal'],
  CUSTOM_ZOOM: ['customZoom', 'teal'],
  MODAL: ['modal', 'green'],
  SWAP_FACE: ['swapFace', 'light-green'],
})

export const CODES = kinds({
  1: ['submitted', 'green'],
  21: ['waiting', 'lime'],
  22: ['duplicate', 'orange'],
  0: ['notSubmitted', 'yellow'],
})

export const STATUSES = kinds({
  SUCCESS: ['success', 'green'],
  NOT_START: ['notStarted', 'grey'],
  SUBMITTED: ['queued', 'yellow'],
  IN_PROGRESS: ['inProgress', 'blue'],
  FAILURE: ['failure', 'red'],
  MODAL: ['windowWaiting', 'yellow'],
})

const UNKNOWN: Kind = { word: 'unknown', color: 'white' }

export const findKind = (known: Readonly<Record<string, Kind>>, name: string | number): Kind =>
  known[String(name)] ?? UNKNOWN
