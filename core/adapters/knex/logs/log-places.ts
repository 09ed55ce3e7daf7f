// The progress of moving log rows to other stores.
import type { Knex } from 'knex'
import type { LogHomeProgress, LogHomeStates } from '../../../logs/home.ts'
import { DATABASE_TIME_MS } from '../connection/connection.ts'
import type { Database } from '../connection/database.ts'
import { queryDatabaseRows } from '../schema/table-shapes.ts'

interface PlaceRow extends LogHomeProgress {
  home: string
  owner: string
  expires: number
  state: '' | 'whole' | 'returning' | 'left'
}

const toPlace = (row: LogHomeProgress | undefined): LogHomeProgress => ({
  place: Number(row?.place ?? 0),
  pending: Number(row?.pending ?? 0),
})
const rowsOfUse = (rows: Pick<PlaceRow, 'home' | 'place'>[]) =>
  rows.map(({ home, place }) => ({ home, place: Number(place) }))
const LEFT = { place: 0, pending: 0, owner: '', expires: 0, state: 'left' } as const

export function createLogPlaces({ kind, read, write }: Database): LogHomeStates {
  const now = DATABASE_TIME_MS[kind]
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

// Finds the id below which no row of the log can still appear. Processes that share a database take ids in one order
// and commit in another; an exclusive owner writes one transaction after the other.

/** Longer than the time between taking an id and having a transaction id on the server, in ms. */
const MOMENT_MS = 1000

export const createNewestIdReader = (read: Knex) => async (): Promise<number> => {
  const row = await read('logs').max({ id: 'id' }).first()
  return Number(row?.id ?? 0)
}

/** Once every transaction from the time of an observed id has ended, no smaller id can appear. */
export function createSettledIdReader(read: Knex): () => Promise<number> {
  let settled = 0
  let seen: { id: number; at: number; until?: number } | undefined
  return async () => {
    const [now] = await queryDatabaseRows<{ id: string; oldest: string; next: string }>(
      read,
      `select coalesce((select max(id) from logs), 0) as id,
        txid_snapshot_xmin(txid_current_snapshot()) as oldest, txid_snapshot_xmax(txid_current_snapshot()) as next`,
    )
    if (!now) return settled
    if (seen?.until !== undefined && Number(now.oldest) >= seen.until) {
      settled = seen.id
      seen = undefined
    }
    if (!seen) seen = { id: Number(now.id), at: performance.now() }
    else if (seen.until === undefined && performance.now() - seen.at >= MOMENT_MS) seen.until = Number(now.next)
    return settled
  }
}
