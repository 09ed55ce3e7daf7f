// Finds the catalogues that a screen needs: those of its own folder, and of the folders whose components it shows.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SCREENS = fileURLToPath(new URL('screens/', import.meta.url))
const IMPORT = /^(?:import|export)(?! type\b)[^'"]*'(\.[^']+\.tsx?)'|import\('(\.[^']+\.tsx?)'\)/gm

/** Returns the rooms of a screen; a room is the folder of a screen. */
export function findRooms(screen: string): string[] {
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
