// The language of one command run: of help, tables, questions and refusals.
import type { Language, Words } from '../core/errors.ts'

/** What is said to people. A text alone is data, such as a name, and the same in every language. */
export type Said = string | Words

/** It in that language. */
export const inLanguage = (said: Said, language: Language): string => (typeof said === 'string' ? said : said[language])

/**
 * The language that was asked for: by `--language`, by WEIR_LANGUAGE, or by the locale of the terminal.
 * It is needed before the command line is read, because help and usage errors are said in it too.
 */
export function languageOf(args: readonly string[], env: Record<string, string | undefined>): Language {
  const at = args.findIndex((word) => word === '--language' || word.startsWith('--language='))
  const asked = at < 0 ? undefined : (args[at]?.split('=')[1] ?? args[at + 1])
  if (asked === 'en' || asked === 'zh') return asked
  const { WEIR_LANGUAGE, LC_ALL, LC_MESSAGES, LANG } = env
  return [WEIR_LANGUAGE, LC_ALL, LC_MESSAGES, LANG].find((one) => one)?.startsWith('zh') ? 'zh' : 'en'
}

/** All ways to say it, for those who search. */
export const everyLanguage = (said: Said): string => (typeof said === 'string' ? said : Object.values(said).join(' '))
