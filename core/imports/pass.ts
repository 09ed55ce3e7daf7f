// The state of one import pass, inside its transaction: data of source and destination, and the outcome of each row.
import { Decimal } from 'decimal.js'
import { errors, fillTemplate, words, type GatewayError, type Words } from '../errors.ts'
import type { WriteTransaction } from '../ports/storage.ts'
import type { Random } from '../ports/random.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { ImportedRow } from './imported-rows.ts'
import type { DigestFunction } from '../quota/chain.ts'
import type { RecordedImportRow } from './store.ts'
import { ImportReport } from './report.ts'

export interface ImportPass {
  within: WriteTransaction
  secrets: Secrets
  random: Random
  digest: DigestFunction
  /** Number of the source. */
  source: number
  /** Our numbers by those of the source, by kind; grows as rows come. */
  ids: Map<string, Map<string, number>>
  report: ImportReport
  fresh: RecordedImportRow[]
  /** Our quota units for one of the source's. */
  scale: Decimal
  /** Epoch seconds. */
  now: number
  /** true in a dry run: nothing is stored, so users named in the history are missing. */
  tried: boolean
  /** The user who imports; null for the terminal on the host. */
  by_user_id: number | null
}

export const findImportedId = ({ ids }: ImportPass, kind: string, id: string): number | undefined =>
  ids.get(kind)?.get(id)

/** Records an imported row and reports it with its changes. */
export function recordImportedRow(
  pass: ImportPass,
  row: Pick<ImportedRow, 'kind' | 'id' | 'name' | 'notes'>,
  our_id: number,
): void {
  const known = pass.ids.get(row.kind) ?? new Map<string, number>()
  pass.ids.set(row.kind, known.set(row.id, our_id))
  pass.fresh.push({ kind: row.kind, foreign_id: row.id, our_id })
  pass.report.came(row, row.notes)
}

/** Returns the rows that have not been imported before. The others are reported as known. */
export function listUnknownRows<R extends ImportedRow>(pass: ImportPass, rows: readonly R[]): R[] {
  return rows.filter((row) => {
    const isKnown = findImportedId(pass, row.kind, row.id) !== undefined
    if (isKnown) pass.report.known(row)
    return !isKnown
  })
}

/** Returns the row's id at the source if it is a number, else 0. */
export const getRowNumber = ({ id }: Pick<ImportedRow, 'id'>): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0)

/** Converts an amount of the source to Weir's units, as an exact integer. */
export function scaleAmount({ scale }: Pick<ImportPass, 'scale'>, amount: number): number {
  if (scale.equals(1)) return amount
  const most = Number.MAX_SAFE_INTEGER
  const value = scale.times(amount).toDecimalPlaces(0, Decimal.ROUND_HALF_UP)
  return value.abs().greaterThan(most) ? Math.sign(amount) * most : value.toNumber()
}

/** Reports that an amount is counted in other units in Weir. */
export function noteScale(pass: ImportPass, notes: ImportedRow['notes'], amount: number): void {
  if (pass.scale.equals(1) || amount === 0) return
  notes.push(
    fillTemplate(words('{amount} units there are {pass} here, because a unit has a different value'), {
      amount,
      pass: scaleAmount(pass, amount),
    }),
  )
}

/** Returns the sentence of an error in both languages. */
export function describeRefusal({ code, parameters }: GatewayError): Words {
  return fillTemplate(errors[code], parameters)
}
