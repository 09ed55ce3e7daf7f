// Filters the log by model: by the model name of the row, which channels list, or by another name that the client
// requested, which the row's detail has (`asked_model`).
import { truncateToColumn } from '../calls/log-columns.ts'
import type { LogEntry } from '../calls/log-entry.ts'
import { toPlainModelName } from '../models/same-model.ts'
import { parseCallDetail } from '../calls/detail.ts'

// Patterns in which `%` matches any text and every other character itself, as in the lists' `LIKE`.

/** The same pattern with one `%` for each run of them: a longer run means nothing else, and costs a search more. */
const foldWildcards = (pattern: string): string => pattern.replace(/%{2,}/g, '%')

/** Creates a matcher that takes time linear in text and pattern for any input. */
export function createWildcardMatcher(pattern: string): (text: string) => boolean {
  const [first = '', ...others] = foldWildcards(pattern).split('%')
  const last = others.pop()
  if (last === undefined) return (text) => text === first
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
    const end = text.length - last.length
    let at = first.length
    // The first place of each part is as good as any later one: it leaves the most for the parts behind it.
    for (const part of others) {
      const found = text.indexOf(part, at)
      if (found === -1 || found + part.length > end) return false
      at = found + part.length
    }
    return true
  }
}

/** Matches the requested name in the detail of a row. All databases interpret this regular expression alike. */
export const ASKED_MODEL_PATTERN = '"asked_model":"([^"]*)"'
/** A part of every detail that has one. */
export const ASKED_MODEL_MARK = '"asked_model":"'

interface ModelFilter {
  /** The name, or a pattern in which `%` matches any text. */
  text: string
  isPattern: boolean
  /** Pattern for the model column if the filter is a requested name. Other details need not be read. */
  rowPattern: string
}

/** The filter as the columns keep names; undefined for the empty text, which does not filter. */
export function parseModelFilter(given: string): ModelFilter | undefined {
  const text = foldWildcards(truncateToColumn('model_name', given))
  if (text === '') return undefined
  const isPattern = text.includes('%')
  return { text, isPattern, rowPattern: isPattern ? '%' : `${toPlainModelName(text)}%` }
}

const ASKED_MODEL = /"asked_model":"([^"]*)"/

/** Creates the same filter for rows in memory. */
export function createModelMatcher(given: string): (row: Pick<LogEntry, 'model_name' | 'other'>) => boolean {
  const filter = parseModelFilter(given)
  if (!filter) return () => true
  const matches = createWildcardMatcher(filter.text)
  return ({ model_name, other }) => {
    if (matches(model_name)) return true
    const requestedModel = other.includes(ASKED_MODEL_MARK) ? ASKED_MODEL.exec(other)?.[1] : undefined
    return requestedModel !== undefined && matches(requestedModel)
  }
}

// Filters the log by how long calls took. The rows have whole seconds, rounded; the ms of the whole call are in the detail
// (`total_ms`), which is read only from rows that the seconds leave undecided.

/** Matches the ms of the whole call in the detail of a row. All databases interpret this regular expression alike. */
export const TOTAL_MS_PATTERN = '"total_ms":([0-9]+)'
/** A part of every detail that has them. */
export const TOTAL_MS_MARK = '"total_ms":'

/** Returns the whole seconds of the calls that a bound in ms leaves undecided: shorter ones do not match, longer ones do. */
export const getUndecidedSeconds = (min_ms: number): number => Math.round(min_ms / 1000)

/** Creates the same filter for rows in memory; 0 does not filter. */
export function createDurationMatcher(min_ms: number): (row: Pick<LogEntry, 'use_time' | 'other'>) => boolean {
  if (!min_ms) return () => true
  const undecided = getUndecidedSeconds(min_ms)
  return ({ use_time, other }) => {
    if (use_time !== undecided) return use_time > undecided
    // Older rows have the seconds only.
    return (parseCallDetail(other).total_ms ?? use_time * 1000) >= min_ms
  }
}
