// Colours on the terminal; all other control sequences are escaped.
import { escapeControlCharacters } from '../../core/logs/visible.ts'
import type { CellTone } from './table.ts'

const ANSI: Record<CellTone, [number, number] | null> = {
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

/**
 * Returns whether to colour a stream: FORCE_COLOR decides if it is set (0 and false mean no), then NO_COLOR; otherwise
 * only terminals are coloured.
 */
export function supportsTerminalColor(stream: { isTTY?: boolean }, env: Record<string, string | undefined>): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}

/**
 * Placeholder for the escape character of our own colours until a text is written. Any real escape in the text is then
 * foreign, and no other text can contain the placeholder.
 */
const OWN_ESCAPE = `\uFDD0${Math.random()}${Math.random()}`
const ownPattern = new RegExp(`${OWN_ESCAPE}\\[(\\d+)m`, 'g')
/** Returns the text as it is written: hidden characters are made visible, and our own colours are applied. */
export const toPrintedText = (text: string): string => escapeControlCharacters(text).replace(ownPattern, '\u001B[$1m')

/** Returns the function that paints, or the identity without colour. */
export const createPainter = (colour: boolean) => (text: string, tone: CellTone) => {
  const codes = ANSI[tone]
  return colour && codes && text !== '' ? `${OWN_ESCAPE}[${codes[0]}m${text}${OWN_ESCAPE}[${codes[1]}m` : text
}

/** Removes our own colours from a text. */
export const stripColor = (text: string): string => text.replace(ownPattern, '')
