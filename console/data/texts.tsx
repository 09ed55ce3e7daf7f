// Texts in two languages. A dictionary is declared with both at once, so a missing translation does not compile.
import { createContext, useContext, useEffect, useMemo, type ReactNode } from 'react'
import type { Language } from '../../core/errors.ts'
import { preferences, usePreference } from './preferences.ts'

export type { Language }

/** One phrase in every language. */
export type Phrase = Record<Language, string>

/** The texts of one screen or folder. */
export type Texts<K extends string> = Record<Language, Record<K, string>>

/** Declares texts; both languages must have the same keys. */
export const texts = <K extends string>(dictionaries: {
  en: Record<K, string>
  zh: Record<NoInfer<K>, string>
}): Texts<K> => dictionaries

/** Fills `{name}` in a phrase. */
export const fillPhrase = (phrase: string, values: Record<string, string | number>) =>
  phrase.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/** The visitor's choice, else the browser's language, else English. */
export function currentLanguage(): Language {
  const chosen = preferences.language.read() ?? navigator.language
  return chosen.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

interface LanguageChoice {
  language: Language
  setLanguage(language: Language): void
}

const TextsContext = createContext<LanguageChoice>({ language: 'en', setLanguage: () => {} })

/** Provides the chosen language to the components below it. */
export function TextsProvider({ children }: { children: ReactNode }) {
  usePreference(preferences.language)
  const language = currentLanguage()
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'
  }, [language])
  const choice = useMemo(() => ({ language, setLanguage: preferences.language.write }), [language])
  return <TextsContext.Provider value={choice}>{children}</TextsContext.Provider>
}

export const useLanguage = () => useContext(TextsContext)

/** A dictionary in the chosen language: `const t = useTexts(words)`, then `t.title`. */
export const useTexts = <K extends string>(words: Texts<K>): Record<K, string> => words[useLanguage().language]
