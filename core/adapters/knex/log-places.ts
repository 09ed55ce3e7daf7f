// The progress of moving log rows to other stores.
import type { Knex } from 'knex'
import type { HomePlace, LogPlaces } from '../../logs/home.ts'
import type { Database } from './database.ts'
import { NOW_MS } from './now.ts'

interface PlaceRow extends HomePlace {
  home: string
  owner: string
  expires: number
  state: '' | 'whole' | 'returning' | 'left'
}

const toPlace = (row: HomePlace | undefined): HomePlace => ({
  place: Number(row?.place ?? 0),
  pending: Number(row?.pending ?? 0),
})
const rowsOfUse = (rows: Pick<PlaceRow, 'home' | 'place'>[]) =>
  rows.map(({ home, place }) => ({ home, place: Number(place) }))
const LEFT = { place: 0, pending: 0, owner: '', expires: 0, state: 'left' } as const

export function createLogPlaces({ kind, read, write }: Database): LogPlaces {
  const now = NOW_MS[kind]
  const rows = (from: Knex = write) => from<PlaceRow>('log_places')
  const inUse = (from: Knex = read) => rows(from).whereNot({ state: 'left' })
  return {
    of: async (home) => toPlace(await inUse().where({ home }).first('place', 'pending')),
    inUse: async () => rowsOfUse(await inUse().where('place', '>', 0).select('home', 'place')),
    async begin(home) {
      const others = () => inUse(write).whereNot({ home })
      await rows().insert({ home, state: '' }).onConflict('home').ignore()
      // If one process owns the database, any earlier process that moved rows is gone.
      if (kind === 'sqlite') await rows().where({ home }).update({ owner: '', expires: 0 })
      await rows().where({ home }).whereIn('state', ['left', 'returning']).update({ state: '' })
      const found = await others().where('place', '>', 0).select('home', 'place')
      if (found.length === 0) await rows().where({ home }).update({ state: 'whole' })
      const own = await rows().where({ home }).first('state')
      if (own?.state !== 'whole') return rowsOfUse(found)
      // Rows of users who were erased since may have been moved back earlier, so their erasure runs again. This comes
      // first: a process that is interrupted between the two would not find the others the next time.
      if (found.length > 0) await write('forgotten').update({ done_at: null })
      await others().update(LEFT)
      return []
    },
    async claim(home, owner, ms) {
      await rows().insert({ home }).onConflict('home').ignore()
      const [row] = await inUse(write)
        .where({ home })
        .where((free) => free.where({ owner }).orWhereRaw(`expires <= ${now}`))
        .update({ owner, expires: write.raw(`${now} + ?`, [ms]) })
        .returning(['place', 'pending'])
      return row ? toPlace(row) : null
    },
    async move(home, owner, was, { place, pending }) {
      const moved = await inUse(write)
        .where({ home, owner, ...was })
        .update({ place, pending })
      return moved > 0
    },
    async isWhole(home) {
      await inUse(write).where({ home }).update({ state: 'whole' })
    },
    async comeBack(home) {
      await inUse(write).where({ home }).update({ state: 'returning' })
    },
    async leave(home) {
      await rows().where({ home }).update(LEFT)
    },
    async reached() {
      const found = await inUse(write).select('place', 'state')
      const places = found.map(({ place, state }) => (state === 'returning' ? 0 : Number(place)))
      return places.length === 0 ? 0 : Math.min(...places)
    },
  }
}
