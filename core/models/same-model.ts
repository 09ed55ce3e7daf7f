// Names of one model: with its vendor's date, without it, and as the latest one; of drawings, with and without a speed
// mode.
import { plainNames, snapshots } from './snapshots.data.ts'

/** A vendor's date at the end of a name, or its word for the last one. */
const DATE = /[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

/** How fast a drawing is to be made, in the name that it is priced under, as `mj_turbo_imagine`. */
const DRAWING_MODE = /^mj_(fast|relax|turbo)_/

/** Returns true if the name has the speed of a drawing. Such a name has a separate price (docs/billing.md, 4.15). */
export const hasDrawingMode = (model: string): boolean => DRAWING_MODE.test(model)

/**
 * Returns the name that price, limits, rows and statistics use: the one that channels list, whichever was requested.
 * Names with a drawing's mode stay unchanged.
 */
export const chooseModelName = (requested: string, stored: string): string =>
  hasDrawingMode(requested) ? requested : stored

/** A model's name without the vendor's date, or a drawing's mode. */
export function toPlainModelName(model: string): string {
  const undated = model.replace(DATE, '').replace(DRAWING_MODE, 'mj_')
  return plainNames.get(undated) ?? undated
}

/** The day in a model's name, as `2025-11-24`. */
export function findSnapshotDay(model: string): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(parseDateOrMode(model)) ?? []
  return year === undefined ? undefined : `${year}-${month}-${day}`
}

/**
 * Returns true if both names mean one model. Two dates (or modes) never do; a name without one means the snapshot
 * chosen by its vendor.
 */
export function isSameModel(one: string, other: string): boolean {
  if (one === other) return true
  const plain = toPlainModelName(one)
  return plain === toPlainModelName(other) && meets(plain, parseDateOrMode(one), parseDateOrMode(other))
}

/** Returns the names of the same model, best first: without a date, then the later dates. */
export const listSameModels = (model: string, names: readonly string[]): string[] =>
  names
    .filter((name) => isSameModel(name, model))
    .sort(
      (a, b) =>
        Number(parseDateOrMode(a) !== '') - Number(parseDateOrMode(b) !== '') ||
        (parseDateOrMode(a) < parseDateOrMode(b) ? 1 : -1),
    )

/** Returns the date or the mode in a name; empty if it has none. */
function parseDateOrMode(model: string): string {
  const [, mode] = DRAWING_MODE.exec(model) ?? []
  if (mode !== undefined) return mode
  const date = DATE.exec(model)?.[1] ?? ''
  return date === 'latest' ? '' : date.replaceAll('-', '')
}

function meets(plain: string, one: string, other: string): boolean {
  if (one === other) return true
  if (one !== '' && other !== '') return false
  const current = snapshots.get(plain)
  return current === undefined || current === (one || other)
}
