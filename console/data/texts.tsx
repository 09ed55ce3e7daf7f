// Texts of the console. English stands in the code at the place of use, and is the key of the catalogues of the other
// languages (`locales/<language>/<room>.json`). A page loads the catalogues of its language only; English has none.
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

/**
 * Loads the catalogues of a language. A room is the folder of a screen, or another part of the console.
 * @throws TypeError if the server cannot be reached
 */
export async function loadCatalogues(language: Language, rooms: Iterable<string>): Promise<void> {
  const files = import.meta.glob<Catalogue>('../locales/*/*.json', { import: 'default' })
  const found = await Promise.all([...rooms].map((room) => files[`../locales/${language}/${room}.json`]?.()))
  Object.assign(catalogues[language], ...found)
}

const openRooms = new Set(['common', 'data', 'parts', 'shell'])

/** Loads the texts of these rooms, and of all that were loaded before, in the visitor's language. @throws TypeError */
export function loadTexts(...rooms: readonly string[]): Promise<void> {
  rooms.forEach((room) => openRooms.add(room))
  return loadCatalogues(getCurrentLanguage(), openRooms)
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
