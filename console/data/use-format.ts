// The formats of this page: its language, and money as the site shows it. They are created once, because every cell of
// every list uses them.
import { createContext, createElement, type ReactNode, useContext, useMemo } from 'react'
import { createDisplayFormat, type DisplayFormat } from './format.ts'
import { useServerStatus } from './status.ts'
import { useLanguage } from './texts.tsx'

const FormatContext = createContext<DisplayFormat | null>(null)

/** Provides the formats of the chosen language to the components below it. */
export function FormatProvider({ children }: { children: ReactNode }) {
  const { language } = useLanguage()
  const { quota_per_unit, display_in_currency } = useServerStatus()
  const format = useMemo(
    () => createDisplayFormat(language, { quota_per_unit, display_in_currency }),
    [language, quota_per_unit, display_in_currency],
  )
  return createElement(FormatContext.Provider, { value: format }, children)
}

export function useFormat(): DisplayFormat {
  const format = useContext(FormatContext)
  if (!format) throw new Error('formats are given by FormatProvider')
  return format
}
