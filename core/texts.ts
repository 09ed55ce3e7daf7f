// Texts for people. English stands in the code, where the text is used, and is the key of the other languages; these
// stand in catalogues and are read when a text is first shown in them (catalogues.ts).
//
//   words('No channels')                              a text in every language
//   words('Code', { context: 'redemption' })          the same English for another meaning
//   fillTemplate(words('{n} channels'), { n })        with values
//
// A further language is an entry in `LANGUAGES` and a folder `locales/<language>` in core, cli and console.
import { createTranslator } from './catalogues.ts'

export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]
/** A text in every language. */
export type Words = Readonly<Record<Language, string>>

/** Values for the `{name}`s of a text. A text is inserted in the language of the whole. */
export type Parameters = Readonly<Record<string, string | number | Words>>

const TRANSLATED = LANGUAGES.filter((language) => language !== 'en')

/**
 * Creates the function that declares the texts of a part (core, cli). Its argument is a literal, so that
 * `test/texts.test.ts` finds every text. @param locales the folder of the part's catalogues
 */
export function createWords(locales: URL) {
  const translate = createTranslator(locales)
  const describe = (context?: string) =>
    Object.fromEntries(
      TRANSLATED.map((language) => [
        language,
        {
          enumerable: true,
          get(this: Words) {
            return translate(language, this.en, context)
          },
        },
      ]),
    )
  const usual = describe()
  return (en: string, { context }: { context?: string } = {}): Words =>
    Object.defineProperties({ en }, context === undefined ? usual : describe(context)) as Words
}

/** Declares a text of core. */
export const words = createWords(new URL('../core/locales/', import.meta.url))

/** Builds a text from a function of the language. It is called at once for English, for others when they are shown. */
export function composeWords(write: (language: Language) => string): Words {
  const composed = { en: write('en') }
  for (const language of TRANSLATED)
    Object.defineProperty(composed, language, { enumerable: true, get: () => write(language) })
  return composed as Words
}

/** Wraps a text that is the same in every language: a name, an address, a number. */
export const toWords = (text: string): Words => composeWords(() => text)

/** A part of a text that is left out. */
export const EMPTY_WORDS: Words = toWords('')

/** Fills the `{name}`s of a text in one language. A `{name}` without a value stays. */
export const fillIn = (text: Words, parameters: Parameters, language: Language): string =>
  text[language].replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parameters[name]
    return String((typeof value === 'object' ? value[language] : value) ?? whole)
  })

/** Fills the `{name}`s of a text in every language. */
export const fillTemplate = (text: Words, parameters: Parameters): Words =>
  composeWords((language) => fillIn(text, parameters, language))

export const joinTexts = (parts: readonly (string | Words)[], separator: Words): Words =>
  composeWords((language) =>
    parts.map((part) => (typeof part === 'string' ? part : part[language])).join(separator[language]),
  )

const LIST = words(', ', { context: 'list' })

/** Joins names to a list: `a, b`. */
export const joinList = (names: readonly (string | Words)[]): Words => joinTexts(names, LIST)
