// Joins the catalogues that a screen needs into one file for each language, so that they are one request. The first screen's file
// also has the texts of the frame and the parts.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const SCREENS = fileURLToPath(new URL('screens/', import.meta.url))
const LOCALES = fileURLToPath(new URL('locales/', import.meta.url))
/** The rooms that every screen shows. */
const FRAME_ROOMS = ['common', 'data', 'parts', 'shell']
const IMPORT = /^(?:import|export)(?! type\b)[^'"]*'(\.[^']+\.tsx?)'|import\('(\.[^']+\.tsx?)'\)/gm
/** `console/screens/tokens/screen.ts?texts=zh`, or `…?texts=zh&first`. */
const TEXTS = /\/screens\/([\w-]+)\/screen\.ts\?texts=(\w+)(&first)?$/

/** Serves the texts of a screen as a module. */
export const joinScreenTexts = (): Plugin => ({
  name: 'weir:screen-texts',
  enforce: 'pre',
  load: {
    filter: { id: TEXTS },
    handler(id) {
      const [, screen = '', language = '', isFirst] = TEXTS.exec(id)!
      const rooms = [...(isFirst ? FRAME_ROOMS : []), ...findRooms(screen)]
      const files = rooms.map((room) => join(LOCALES, language, `${room}.json`)).filter((file) => existsSync(file))
      for (const file of files) this.addWatchFile(file)
      const joined: unknown = Object.assign(
        {},
        ...files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as unknown),
      )
      return { code: `export default ${JSON.stringify(joined)}`, moduleType: 'js', map: null }
    },
  },
})

/** Returns true for the module with all texts that a screen needs if it is the first one. */
export const isFirstTexts = (id: string, screen: string): boolean => {
  const [, found, , isFirst] = TEXTS.exec(id) ?? []
  return found === screen && isFirst !== undefined
}

/** Returns the name of the file that a module of texts is built to: `texts-zh-tokens`. */
export function findTextsName(id: string): string | undefined {
  const [, screen, language] = TEXTS.exec(id) ?? []
  return screen && `texts-${language}-${screen}`
}

/** Finds the rooms of a screen: its own folder, and the folders whose components it shows. */
function findRooms(screen: string): string[] {
  const files = new Set([join(SCREENS, screen, 'page.tsx')])
  const rooms = new Set<string>()
  for (const file of files) {
    const code = readFileSync(file, 'utf8')
    if (code.includes('/data/texts.tsx')) rooms.add(file.slice(SCREENS.length).split(/[\\/]/)[0]!)
    for (const [, fixed, lazy] of code.matchAll(IMPORT)) {
      const found = join(file, '..', (fixed ?? lazy)!)
      if (found.startsWith(SCREENS)) files.add(found)
    }
  }
  return [...rooms].sort()
}
