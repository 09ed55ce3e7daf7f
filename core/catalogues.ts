// Reads the catalogues of a part (core, cli): `<part>/locales/<language>/*.json` map each English text to its
// translation. i18next and the files of a language are loaded with the first text that is shown in it, so that a command
// in English loads neither.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type * as I18next from 'i18next'

/**
 * Returns the translation of an English text, or the text itself if the language has none. The context selects one of
 * several translations: `<text>_<context>` in the catalogue.
 */
type Translate = (language: string, text: string, context?: string) => string

/** Creates the translator of a part. @param locales the folder of the part's catalogues */
export function createTranslator(locales: URL): Translate {
  const languages = new Map<string, (text: string, context?: string) => string>()
  return (language, text, context) => {
    let translate = languages.get(language)
    if (!translate) languages.set(language, (translate = loadLanguage(language, new URL(`${language}/`, locales))))
    return translate(text, context)
  }
}

function loadLanguage(language: string, folder: URL) {
  const { createInstance } = createRequire(import.meta.url)('i18next') as typeof I18next
  const i18n = createInstance()
  // Keys are sentences: they have points and colons. Their `{name}`s are filled afterwards, in every language alike.
  void i18n.init({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    resources: { [language]: { translation: readCatalogue(folder) } },
  })
  // i18next takes about 10 µs for each text, and lists of settings and commands show the same ones again and again.
  const known = new Map<string, string>()
  return (text: string, context?: string): string => {
    const key = context === undefined ? text : `${text}_${context}`
    let translated = known.get(key)
    if (translated === undefined) known.set(key, (translated = i18n.t(text, { context, skipInterpolation: true })))
    return translated
  }
}

/** Reads all rooms of a language. Each text is in one room only. */
function readCatalogue(folder: URL): Record<string, string> {
  const rooms = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return Object.assign({}, ...rooms.map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'))))
}
