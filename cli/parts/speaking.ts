// The language of the drawn components.
import { createContext, useContext } from 'react'
import type { Language } from '../../core/errors.ts'
import { pickLanguage, type BilingualText } from '../language.ts'

export const TranslateContext = createContext<Language>('en')

/** Returns the function that translates into the person's language. */
export function useTranslate(): (text: BilingualText) => string {
  const language = useContext(TranslateContext)
  return (text) => pickLanguage(text, language)
}
