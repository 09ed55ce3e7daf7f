// The records of a journal: charges and releases that the ledger has yet to book, as JSON with their places.
import type { LedgerOperation } from '../quota/operation.ts'
import type { JournalPlace } from './place.ts'

/** The charge of a finished call, or the release of a failed one. */
export type PendingCharge = LedgerOperation & { kind: 'settle' | 'release' }

export interface JournaledCharge extends JournalPlace {
  charge: PendingCharge
}

/** A transaction hook cannot be stored as text. The module that added it repeats its charge after a restart. */
export const isJournalable = (charge: PendingCharge): boolean =>
  charge.kind === 'release' || charge.beside === undefined

export const encodePendingCharge = (charge: PendingCharge, place: number): string =>
  JSON.stringify({ place, ...charge })

/** @throws SyntaxError or TypeError if the payload is not a pending charge */
export function decodePendingCharge(payload: Uint8Array): Omit<JournaledCharge, 'journal'> {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(payload)
  const { place = 0, ...charge } = JSON.parse(text) as PendingCharge & { place?: number }
  if ((charge.kind !== 'settle' && charge.kind !== 'release') || typeof charge.hold.id !== 'string')
    throw new TypeError('kind')
  return { place, charge: charge as PendingCharge }
}
