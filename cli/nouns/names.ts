// The search of one thing by the name that a person typed: never a guess, and what was probably meant.
import { fillTemplate, joinList, type Words } from '../../core/errors.ts'
import { GatewayRefusal } from '../failure.ts'
import { endSentence } from '../language.ts'
import { words } from '../texts.ts'
import type { WeirClient } from '../../core/contracts.ts'
import type { ResultPrinter } from '../output/output.ts'

/** Most names that an error suggests. */
const MAX_SUGGESTIONS = 3
/** Most edits between a name and its suggestion, for each part of this many letters. */
const LETTERS_PER_EDIT = 3

/** Returns the names that were probably meant, the most similar first; letter case does not matter. */
function listSimilarNames(typed: string, names: Iterable<string>): string[] {
  const word = typed.trim().toLowerCase()
  const rated = [...new Set(names)].flatMap((name) => {
    const other = name.toLowerCase()
    const edits = countEdits(word, other)
    const isNear = edits <= Math.max(1, Math.floor(Math.max(word.length, other.length) / LETTERS_PER_EDIT))
    const isPart = word.length >= LETTERS_PER_EDIT && other.includes(word)
    return other.length > 1 && (isNear || isPart) ? [{ name, rating: isNear ? edits : word.length + edits }] : []
  })
  rated.sort((one, next) => one.rating - next.rating || one.name.localeCompare(next.name))
  return rated.slice(0, MAX_SUGGESTIONS).map(({ name }) => name)
}

/**
 * Counts the letters to add, remove, replace or swap with their neighbour between two texts. The usual libraries count a
 * swap, which is the most frequent slip, as two edits.
 */
function countEdits(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, isSwapped ? before[j - 2]! + 1 : Infinity))
    }
    ;[before, row] = [row, next]
  }
  return row[other.length]!
}

/** Adds to an error what was probably meant, if something was. */
export function suggestNames(problem: Words, typed: string, names: Iterable<string>): Words {
  const similar = listSimilarNames(typed, names)
  return similar.length === 0
    ? problem
    : fillTemplate(words('{problem} Did you mean {names}?'), {
        problem: endSentence(problem),
        names: joinList(similar),
      })
}

interface NameSearch<T> {
  /** The typed name. */
  name: string
  /** The rows among which the name is searched; others may be among them. */
  rows: readonly T[]
  /** The names by which a row can be called. */
  getNames(row: T): readonly string[]
  /** Names the row in the list of candidates: its id first. */
  describe(row: T): string
  /** The errors; `{name}` and `{ids}` are filled in. */
  missing: Words
  several: Words
  /** Completes the error if there is no row of the name. */
  explainMissing?(problem: Words): Promise<Words>
  /** The kind in the codes of the errors: `channel` for `channel.missing` and `channel.ambiguous`. */
  kind: string
  /** Returns names to suggest; otherwise those of the rows. */
  listNames?(): Promise<Iterable<string>>
}

/** Returns the rows of a name: those with exactly it, otherwise those whose letter case alone differs. */
export function listNamedRows<T>(name: string, rows: readonly T[], getNames: (row: T) => readonly string[]): T[] {
  const exact = rows.filter((row) => getNames(row).includes(name))
  if (exact.length > 0) return exact
  return rows.filter((row) => getNames(row).some((each) => each.toLowerCase() === name.toLowerCase()))
}

/**
 * Returns the only row of a name. Letter case matters only if several rows differ in nothing else.
 * @throws GatewayRefusal with the ids of the candidates if there are several, or with similar names if there is none
 */
export async function findByName<T>(search: NameSearch<T>): Promise<T> {
  const { rows, getNames, describe, kind } = search
  const name = search.name.trim()
  const [found, ...others] = listNamedRows(name, rows, getNames)
  if (found !== undefined && others.length === 0) return found
  if (found !== undefined) {
    const ids = [found, ...others].map(describe).join(', ')
    throw new GatewayRefusal(fillTemplate(search.several, { name, ids }), `${kind}.ambiguous`)
  }
  const names = (await search.listNames?.().catch(() => [])) ?? rows.flatMap(getNames)
  const problem = suggestNames(fillTemplate(search.missing, { name }), name, names)
  throw new GatewayRefusal((await search.explainMissing?.(problem)) ?? problem, `${kind}.missing`)
}

/** Lists the names of the served models: all of them for administrators, of a user those of the own groups. */
export const listServedModels = (weir: WeirClient): Promise<string[]> =>
  weir.channels.modelsEnabled().catch(() => weir.users.models())

/** Adds to a problem with a model which models were probably meant, if no channel serves it. */
export async function suggestModels(weir: WeirClient, problem: Words, model: string): Promise<Words> {
  const served = await listServedModels(weir).catch((): string[] => [])
  return served.includes(model) ? problem : suggestNames(problem, model, served)
}

/** Warns that no channel serves a model, if it is probably a mistyped name of one that is served. */
export function warnUnknownModel(print: ResultPrinter, model: string, served: readonly string[]): void {
  if (served.includes(model) || listSimilarNames(model, served).length === 0) return
  print.warn(suggestNames(fillTemplate(words('No channel serves {model}.'), { model }), model, served))
}
