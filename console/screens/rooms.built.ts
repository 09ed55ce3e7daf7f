// The catalogues of texts that each screen needs.
import { readdirSync } from 'node:fs'
import { findRooms } from '../rooms.ts'

export const rooms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, findRooms(name)]),
)
