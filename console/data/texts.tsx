// Texts of the console. English stands in the code at the place of use, and is the key of the catalogues of the other
// languages (`locales/<language>/<room>.json`). A page loads the texts of its language only, in one file; English has none.
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'
import type { Language } from '../../core/errors.ts'
import { storedPreferences, usePreference } from './preferences.ts'

export type { Language }

declare const translatable: unique symbol
/** An English text that is translated where it is shown. */
export type TextKey = string & { readonly [translatable]: true }

/** Declares a text for later: the check of the catalogues finds texts in calls of `t`, `text` and `texts`. */
export const text = (english: string): TextKey => english as TextKey

/** Declares a text for each of several states. */
export const texts = <K extends PropertyKey>(english: Readonly<Record<K, string>>): Readonly<Record<K, TextKey>> =>
  english as Record<K, TextKey>

type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** `context` chooses among several translations of the same English: the key of the catalogue is `text_context`. */
type Values = Readonly<Record<string, string | number> & { context?: string }>

/** Translates a text, and fills in its placeholders `{name}`. Texts that are no literals come from `text` or `texts`. */
export type Translate = <T extends string>(
  english: string extends T ? never : T,
  ...values: [Placeholders<T>] extends [never]
    ? [values?: Values]
    : [values: Values & Record<Placeholders<T>, string | number>]
) => string

type Catalogue = Readonly<Record<string, string>>

const catalogues: Record<Language, Record<string, string>> = { en: {}, zh: {} }

const createTranslate =
  (catalogue: Catalogue): Translate =>
  (english, ...[values]) => {
    const context = values?.context
    const found = (context && catalogue[`${english}_${context}`]) || (catalogue[english] ?? english)
    return values ? fillPhrase(found, values) : found
  }

const translators: Record<Language, Translate> = {
  en: createTranslate(catalogues.en),
  zh: createTranslate(catalogues.zh),
}

export const getTranslate = (language: Language): Translate => translators[language]

/** Translates outside of components; within them `useText` draws them again when the language changes. */
export const translate: Translate = (english, ...values) => translators[getCurrentLanguage()](english, ...values)

/** Fills `{name}` in a text of core. */
export const fillPhrase = (phrase: string, values: Readonly<Record<string, string | number>>) =>
  phrase.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** Adds translations, by their English. */
export const addTexts = (language: Language, texts: Catalogue) => void Object.assign(catalogues[language], texts)

type Files = Readonly<Record<string, () => Promise<Catalogue>>>

/** The files of each screen (`screen-texts.ts`): the first one that is loaded also has the texts of the frame and the parts. */
const files: Partial<Record<Language, { first: Files; next: Files }>> = {
  zh: {
    first: import.meta.glob<Catalogue>('../screens/*/screen.ts', { query: '?texts=zh&first', import: 'default' }),
    next: import.meta.glob<Catalogue>('../screens/*/screen.ts', { query: '?texts=zh', import: 'default' }),
  },
}

const openScreens = new Set<string>()
const loads: Record<Language, Map<string, Promise<void>>> = { en: new Map(), zh: new Map() }

/**
 * Loads the texts of these screens, and of all that were loaded before, in the visitor's language.
 * @throws TypeError if the server cannot be reached
 */
export async function loadTexts(...screens: readonly string[]): Promise<void> {
  screens.forEach((screen) => openScreens.add(screen))
  const language = getCurrentLanguage()
  const started = loads[language]
  for (const screen of openScreens) {
    if (started.has(screen)) continue
    const load = files[language]?.[started.size === 0 ? 'first' : 'next'][`../screens/${screen}/screen.ts`]
    if (load) started.set(screen, load().then(addTexts.bind(null, language)))
  }
  try {
    await Promise.all(started.values())
  } catch (error) {
    // The first file may be among those that are missing, so that all are loaded again.
    started.clear()
    throw error
  }
}

/** The visitor's choice, else the browser's language, else English. */
export function getCurrentLanguage(): Language {
  const chosen = storedPreferences.language.read() ?? navigator.language
  return chosen.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

interface LanguageChoice {
  language: Language
  setLanguage(language: Language): void
}

const TextsContext = createContext<LanguageChoice>({ language: 'en', setLanguage: () => {} })

/** Provides the chosen language to the components below it, once its texts are loaded. */
export function TextsProvider({ children }: { children: ReactNode }) {
  usePreference(storedPreferences.language)
  const chosen = getCurrentLanguage()
  const [language, setShown] = useState(chosen)
  useEffect(() => {
    let isLast = true
    void loadTexts().then(() => isLast && setShown(chosen))
    return () => void (isLast = false)
  }, [chosen])
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  }, [language])
  const choice = useMemo(() => ({ language, setLanguage: storedPreferences.language.write }), [language])
  return <TextsContext.Provider value={choice}>{children}</TextsContext.Provider>
}

/** Returns what a language calls itself. */
export const getLanguageName = (language: Language): string =>
  new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language

export const useLanguage = () => useContext(TextsContext)

/** `const t = useText()`, then `t('Save {name}', { name })`. */
export const useText = (): Translate => translators[useLanguage().language]
