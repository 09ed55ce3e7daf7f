// The records of a journal: charges and releases that the ledger has yet to book, as JSON with their places.
import type { LedgerOperation } from '../quota/operation.ts'
import type { JournalPlace } from './place.ts'

/** The charge of a finished call, or the release of a failed one. */
export type PendingCharge = LedgerOperation & { kind: 'settle' | 'release' }

export interface JournaledCharge extends JournalPlace {
  owed: PendingCharge
}

/** A transaction hook cannot be stored as text. The module that added it repeats its charge after a restart. */
export const isJournalable = (owed: PendingCharge): boolean => owed.kind === 'release' || owed.beside === undefined

export const encodePendingCharge = (owed: PendingCharge, place: number): string => JSON.stringify({ place, ...owed })

/** @throws SyntaxError or TypeError if the payload is not a pending charge */
export function decodePendingCharge(payload: Uint8Array): Omit<JournaledCharge, 'journal'> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(payload)
  const { place = 0, ...owed } = JSON.parse(text) as PendingCharge & { place?: number }
  if ((owed.kind !== 'settle' && owed.kind !== 'release') || typeof owed.hold.id !== 'string')
    throw new TypeError('kind')
  return { place, owed: owed as PendingCharge }
}
