// Light or dark: kept in the browser, and set on <body> where Semi UI looks for it.
import { createContext, useContext, useLayoutEffect, useMemo, type ReactNode } from 'react'
import { preferences, usePreference, type ThemeMode } from '../data/preferences.ts'

interface Theme {
  mode: ThemeMode
  setMode(mode: ThemeMode): void
}

const ThemeContext = createContext<Theme>({ mode: 'light', setMode: () => {} })

/** Gives every component below it the chosen theme. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const mode: ThemeMode = usePreference(preferences.theme) === 'dark' ? 'dark' : 'light'
  useLayoutEffect(() => {
    if (mode === 'dark') document.body.setAttribute('theme-mode', 'dark')
    else document.body.removeAttribute('theme-mode')
  }, [mode])
  const theme = useMemo(() => ({ mode, setMode: preferences.theme.write }), [mode])
  return <ThemeContext.Provider value={theme}>{children}</ThemeContext.Provider>
}

export const useTheme = () => useContext(ThemeContext)
