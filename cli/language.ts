// The language of one command run: of help, tables, questions and refusals.
import { words, type Language, type Words } from '../core/errors.ts'
import type { Tone } from './table.ts'

/** A text for people, always in both languages. */
export type Said = Words

/** Wraps a text that is the same in every language: a name, an address, a finished line. */
export const asData = (text: string): Said => words(text, text)

/** Returns the text in the language. */
export const inLanguage = (text: Said, language: Language): string => text[language]

/** Joins texts. */
export const concatTexts = (parts: readonly Said[], between = asData('\n')): Said =>
  words(parts.map(({ en }) => en).join(between.en), parts.map(({ zh }) => zh).join(between.zh))

/** Colours a text, if colour is enabled. */
export const colorizeTexts = (print: { paint(text: string, tone: Tone): string }, { en, zh }: Said, tone: Tone): Said =>
  words(print.paint(en, tone), print.paint(zh, tone))

/**
 * Returns the requested language: from `--language`, WEIR_LANGUAGE, or the locale of the terminal. It is needed before
 * the command line is parsed, because help and usage errors use it.
 */
export function detectLanguage(args: readonly string[], env: Record<string, string | undefined>): Language {
  const at = args.findIndex((word) => word === '--language' || word.startsWith('--language='))
  const requested = at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1])
  if (requested === 'en' || requested === 'zh') return requested
  const { WEIR_LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = env
  return [WEIR_LANGUAGE, LC_ALL, LC_MESSAGES, LANG].find((one) => one)?.startsWith('zh') ? 'zh' : 'en'
}

/** Joins all languages of a text, for searching. */
export const everyLanguage = (text: Said): string => Object.values(text).join(' ')
