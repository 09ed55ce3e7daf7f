// The formats of this page: its language, and money as the site shows it. Made once, and read by every cell of every list.
import { createContext, createElement, useContext, useMemo, type ReactNode } from 'react'
import { createFormat, type Format } from './format.ts'
import { useStatus } from './status.ts'
import { useLanguage } from './texts.tsx'

const FormatContext = createContext<Format | null>(null)

/** Gives every component below it the formats of the chosen language. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const { language } = useLanguage()
  const { quota_per_unit, display_in_currency } = useStatus()
  const format = useMemo(
    () => createFormat(language, { quota_per_unit, display_in_currency }),
    [language, quota_per_unit, display_in_currency],
  )
  return createElement(FormatContext.Provider, { value: format }, children)
}

export function useFormat(): Format {
  const format = useContext(FormatContext)
  if (!format) throw new Error('formats are given by FormatProvider')
  return format
}
