// Every screen's facts, found by their files.
import { readdirSync } from 'node:fs'
import type { Handlers } from './fake-server.ts'
import type { ScreenFacts, State, Walked } from './screen-facts.ts'

const folder = new URL('screens/', import.meta.url)
const files = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .sort()
const all = await Promise.all(
  files.map(async (file) => {
    const { facts } = (await import(new URL(file, folder).href)) as { facts: ScreenFacts }
    return [file.replace(/\.ts$/, ''), facts] as const
  }),
)

/** How each screen is walked, by its folder. */
export const SCREENS: Record<string, Walked> = Object.fromEntries(all.map(([name, { walked }]) => [name, walked]))

/** Every state of every screen, by its name. */
export const STATES: Record<string, State> = Object.fromEntries(
  all.flatMap(([, { states = {} }]) => Object.entries(states)),
)

/** The names of the states that come first in their screens: one for each screen that is looked at. */
export const FIRST_STATES: string[] = all.flatMap(([, { states = {} }]) => Object.keys(states).slice(0, 1))

/** What the small site answers the screens that have said it. */
export const screenHandlers = (): Handlers => Object.assign({}, ...all.map(([, { handlers }]) => handlers?.() ?? {}))
