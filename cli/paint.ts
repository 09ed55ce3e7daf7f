// Colours on the terminal, and nothing else that a terminal would obey.
import { escapeControls } from '../core/logs/visible.ts'
import type { Tone } from './table.ts'

const ANSI: Record<Tone, [number, number] | null> = {
  plain: null,
  strong: [1, 22],
  faint: [2, 22],
  good: [32, 39],
  careful: [33, 39],
  bad: [31, 39],
  marked: [7, 27],
  head: [7, 27],
  headBad: [41, 49],
}

/** May this stream have colours? Only a terminal, and only where NO_COLOR is not set. */
export const supportsColor = (stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

/**
 * Stands for the escape of our own colours until a text is written: whatever escapes are in it by then are not ours, and
 * nobody else can write it.
 */
const OURS = `\uFDD0${crypto.randomUUID()}`
const ours = new RegExp(`${OURS}\\[(\\d+)m`, 'g')
/** A text as it is written: what is hidden in it shows, and our own colours are colours. */
export const written = (text: string): string => escapeControls(text).replace(ours, '\u001B[$1m')

/** Gives the function that paints, or leaves plain where there is no colour. */
export const painter = (colour: boolean) => (text: string, tone: Tone) => {
  const codes = ANSI[tone]
  return colour && codes && text !== '' ? `${OURS}[${codes[0]}m${text}${OURS}[${codes[1]}m` : text
}

/** A painted text without its paint. */
export const stripColor = (text: string): string => text.replace(ours, '')
