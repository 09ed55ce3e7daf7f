// The language of one command run: of help, tables, questions and refusals.
import { words, type Language, type Words } from '../core/errors.ts'
import type { Tone } from './table.ts'

/** What is said to people: in both languages, so that no sentence is in one of them alone. */
export type Said = Words

/** What is no sentence and the same in every language: a name, an address, a line that was drawn already. */
export const asData = (text: string): Said => words(text, text)

/** It in that language. */
export const inLanguage = (said: Said, language: Language): string => said[language]

/** One after the other. */
export const concatTexts = (parts: readonly Said[], between = asData('\n')): Said =>
  words(parts.map(({ en }) => en).join(between.en), parts.map(({ zh }) => zh).join(between.zh))

/** In a tone, where there is colour. */
export const colorizeTexts = (print: { paint(text: string, tone: Tone): string }, { en, zh }: Said, tone: Tone): Said =>
  words(print.paint(en, tone), print.paint(zh, tone))

/**
 * The language that was asked for: by `--language`, by WEIR_LANGUAGE, or by the locale of the terminal.
 * It is needed before the command line is read, because help and usage errors are said in it too.
 */
export function detectLanguage(args: readonly string[], env: Record<string, string | undefined>): Language {
  const at = args.findIndex((word) => word === '--language' || word.startsWith('--language='))
  const asked = at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1])
  if (asked === 'en' || asked === 'zh') return asked
  const { WEIR_LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = env
  return [WEIR_LANGUAGE, LC_ALL, LC_MESSAGES, LANG].find((one) => one)?.startsWith('zh') ? 'zh' : 'en'
}

/** All ways to say it, for those who search. */
export const everyLanguage = (said: Said): string => Object.values(said).join(' ')
