// The language of one command run: of help, tables, questions and refusals.
import { composeWords, joinTexts, LANGUAGES, toWords, type Language, type Words } from '../core/errors.ts'
import type { CellTone } from './output/table.ts'

/** A text for people, always in every language. */
export type BilingualText = Words

/** Wraps a text that is the same in every language: a name, an address, a finished line. */
export const asUntranslatedText = (text: string): BilingualText => toWords(text)

/** Returns the text in the language. */
export const pickLanguage = (text: BilingualText, language: Language): string => text[language]

/** Joins texts. */
export const concatTexts = (parts: readonly BilingualText[], between = asUntranslatedText('\n')): BilingualText =>
  joinTexts(parts, between)

/** Colours a text, if colour is enabled. */
export const colorizeTexts = (
  print: { paint(text: string, tone: CellTone): string },
  text: BilingualText,
  tone: CellTone,
): BilingualText => composeWords((language) => print.paint(text[language], tone))

/** Environment variables by their names. */
export type ShellVariables = Readonly<Record<string, string | undefined>>

/**
 * Returns the requested language: from `--language`, WEIR_LANGUAGE, or the locale of the terminal. It is needed before
 * the command line is parsed, because help and usage errors use it.
 */
export function detectLanguage(args: readonly string[], env: ShellVariables): Language {
  const at = args.findIndex((word) => word === '--language' || word.startsWith('--language='))
  const requested = at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1])
  const known = LANGUAGES.find((language) => language === requested)
  if (known) return known
  const { WEIR_LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = env
  const locale = [WEIR_LANGUAGE, LC_ALL, LC_MESSAGES, LANG].find((one) => one)
  return LANGUAGES.find((language) => locale?.startsWith(language)) ?? 'en'
}

/** Joins all languages of a text, for searching. */
export const joinAllLanguages = (text: BilingualText): string => Object.values(text).join(' ')

/** Ends a text with a full stop if it has no mark at its end, as errors of the gateway have none. */
export const endSentence = (problem: Words): Words =>
  composeWords((language) =>
    /[\p{L}\p{N}"')]$/u.test(problem[language]) ? problem[language] + FULL_STOP[language] : problem[language],
  )

const FULL_STOP: Words = { en: '.', zh: '\u3002' }
