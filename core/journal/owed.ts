// What a journal keeps: charges and releases that the ledger owes, as JSON, each with its place.
import type { LedgerOperation } from '../quota/operation.ts'
import type { JournalPlace } from './place.ts'

/** A charge of work that is done, or the end of a call that came to nothing. */
export type PendingCharge = LedgerOperation & { kind: 'settle' | 'release' }

export interface JournaledCharge extends JournalPlace {
  owed: PendingCharge
}

/** Work that goes with its charge in the same transaction is no text: whoever follows it makes its charge again. */
export const isJournalable = (owed: PendingCharge): boolean => owed.kind === 'release' || owed.beside === undefined

export const encodePendingCharge = (owed: PendingCharge, place: number): string => JSON.stringify({ place, ...owed })

/** @throws SyntaxError or TypeError where it is none */
export function decodePendingCharge(payload: Uint8Array): { place: number; owed: PendingCharge } {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(payload)
  const { place = 0, ...owed } = JSON.parse(text) as PendingCharge & { place?: number }
  if ((owed.kind !== 'settle' && owed.kind !== 'release') || typeof owed.hold.id !== 'string')
    throw new TypeError('kind')
  return { place, owed: owed as PendingCharge }
}
