// Filters the log by model: by the model name of the row, which channels list, or by another name that the client
// requested, which the row's detail has (`asked_model`).
import { keptText } from '../calls/log-columns.ts'
import type { LogEntry } from '../calls/log-entry.ts'
import { plainName } from '../models/same-model.ts'
import { createWildcardMatcher, foldWildcards } from './wildcard.ts'

/** Matches the requested name in the detail of a row. All databases interpret this regular expression alike. */
export const ASKED_MODEL_PATTERN = '"asked_model":"([^"]*)"'
/** A part of every detail that has one. */
export const ASKED_MODEL_MARK = '"asked_model":"'

export interface ModelFilter {
  /** The name, or a pattern in which `%` matches any text. */
  text: string
  isPattern: boolean
  /** Pattern for the model column if the filter is a requested name. Other details need not be read. */
  rowPattern: string
}

/** The filter as the columns keep names; undefined for the empty text, which does not filter. */
export function parseModelFilter(given: string): ModelFilter | undefined {
  const text = foldWildcards(keptText('model_name', given))
  if (text === '') return undefined
  const isPattern = text.includes('%')
  return { text, isPattern, rowPattern: isPattern ? '%' : `${plainName(text)}%` }
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
