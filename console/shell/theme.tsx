// The theme, light or dark: set on <body> for Semi UI, and on the root for the scroll bars of the page.
import { createContext, useContext, useLayoutEffect, useMemo, type ReactNode } from 'react'
import { buildThemeProperties } from '../../core/settings/theme-color.ts'
import { storedPreferences, useThemeMode, type ThemeMode } from '../data/preferences.ts'
import { useServerStatus } from '../data/status.ts'

interface Theme {
  mode: ThemeMode
  setMode(mode: ThemeMode): void
}

const ThemeContext = createContext<Theme>({ mode: 'light', setMode: () => {} })

/** Provides the chosen theme to the components below it. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const mode = useThemeMode()
  useLayoutEffect(() => {
    if (mode === 'dark') document.body.setAttribute('theme-mode', 'dark')
    else document.body.removeAttribute('theme-mode')
    document.documentElement.style.colorScheme = mode
  }, [mode])
  const { theme_color } = useServerStatus()
  useLayoutEffect(() => {
    const properties = Object.entries(buildThemeProperties(theme_color, mode === 'dark'))
    for (const [name, value] of properties) document.body.style.setProperty(name, value)
    return () => properties.forEach(([name]) => document.body.style.removeProperty(name))
  }, [theme_color, mode])
  const theme = useMemo(() => ({ mode, setMode: storedPreferences.theme.write }), [mode])
  return <ThemeContext.Provider value={theme}>{children}</ThemeContext.Provider>
}

export const useTheme = () => useContext(ThemeContext)
