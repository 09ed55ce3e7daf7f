// The language of the drawn components.
import { createContext, useContext } from 'react'
import type { Language } from '../../core/errors.ts'
import { inLanguage, type Said } from '../language.ts'

export const Speaking = createContext<Language>('en')

/** Returns the function that translates into the person's language. */
export function useSay(): (text: Said) => string {
  const language = useContext(Speaking)
  return (text) => inLanguage(text, language)
}
