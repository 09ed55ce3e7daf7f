// The formats of this page: its language, and money as the site shows it. They are created once, because every cell of
// every list uses them.
import { createContext, createElement, type ReactNode, useContext, useMemo } from 'react'
import { createFormat, type Format } from './format.ts'
import { useStatus } from './status.ts'
import { useLanguage } from './texts.tsx'

const FormatContext = createContext<Format | null>(null)

/** Provides the formats of the chosen language to the components below it. */
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
