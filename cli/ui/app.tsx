// The screen of `weir ui`: passes keys to the driver, and draws changes.
import { Box } from 'ink'
import { useLayoutEffect, useReducer } from 'react'
import { inLanguage } from '../language.ts'
import { FormView } from '../parts/form.tsx'
import { useKeys } from '../parts/keys.ts'
import { Painted } from '../parts/painted.tsx'
import { Speaking } from '../parts/speaking.ts'
import { createDriver, type DriverOptions } from './driver.ts'

export interface AppProps {
  /** Created once, because it keeps the state of the screen. */
  driver: ReturnType<typeof createDriver>
  language: DriverOptions['ports']['language']
  size: { columns: number; rows: number }
  /** Registers a function that redraws the screen. Returns the function that unregisters it. */
  onChange(redraw: () => void): () => void
}

export function App({ driver, language, size, onChange }: AppProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  // Registered in the layout phase, because changes between drawing and listening would be missed.
  useLayoutEffect(() => onChange(redraw), [onChange])
  // One listener for the whole lifetime: between two listeners keys would be lost.
  useKeys(driver.press, driver.point)
  const lines = driver.lines()
  const { over } = driver.state
  return (
    <Speaking.Provider value={language}>
      <Box flexDirection="column" width={size.columns} height={size.rows}>
        {over?.kind === 'form' ? (
          <>
            <Painted lines={lines.slice(0, 2)} />
            <Box paddingLeft={1} flexGrow={1} overflow="hidden">
              <FormView title={inLanguage(over.title, language)} state={over.form} room={size.rows - 3} />
            </Box>
          </>
        ) : (
          <Painted lines={lines} />
        )}
      </Box>
    </Speaking.Provider>
  )
}
