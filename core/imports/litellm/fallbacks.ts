// Converts LiteLLM's fallbacks: it has a list for each kind of failure, Weir has one for each model.
import { fillTemplate, joinList, words } from '../../errors.ts'
import type { ImportedOption } from '../imported-rows.ts'
import { parseCellJson, getCellText, type RowChangeNotes, type SourceRow } from '../cells.ts'
import type { SkippedRow } from '../product.ts'

/** The settings with fallbacks, in the order in which their models are tried. */
export const FALLBACK_SETTING_KINDS = [
  'fallbacks',
  'default_fallbacks',
  'context_window_fallbacks',
  'content_policy_fallbacks',
] as const

/** The name that means every model without its own list. */
const ANY = '*'

/** More models are not tried (`core/relay/model-candidates.ts`). */
const MAX_FALLBACKS = 5

/** @param row `value` is a list of pairs of a kind and its setting; `models` the names of all models */
export function convertLiteLlmFallbacks(row: SourceRow): ImportedOption | SkippedRow {
  const id = getCellText(row, 'key')
  const label = { kind: 'option' as const, id, name: id }
  const pairs = asPairs(parseCellJson(row, 'value'))
  const models = asNames(parseCellJson(row, 'models'))
  const kinds = new Set(pairs.map(([kind]) => kind))
  const table = new Map<string, string[]>()
  for (const kind of ['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks']) {
    const lists = parseLists(pairs, kind)
    const general = lists.get(ANY) ?? []
    for (const model of new Set([...models, ...lists.keys()])) {
      const found = (lists.get(model) ?? general).filter((name) => name !== model)
      if (model !== ANY && found.length > 0) table.set(model, [...new Set([...(table.get(model) ?? []), ...found])])
    }
  }
  if (table.size === 0) return { ...label, left: words('it names no models') }
  const notes: RowChangeNotes = [words('it is called FallbackModels here')]
  if (kinds.size > 1 || !kinds.has('fallbacks'))
    notes.push(
      fillTemplate(words('{join}: a model has one list here, which is tried after any failure'), {
        join: joinList([...kinds]),
      }),
    )
  const unknown = [...new Set([...table.values()].flat())].filter((name) => !models.includes(name))
  if (unknown.length > 0)
    notes.push(fillTemplate(words('no model of the file is called {unknown}'), { unknown: joinList(unknown) }))
  const long = [...table].filter(([, names]) => names.length > MAX_FALLBACKS).map(([model]) => model)
  if (long.length > 0)
    notes.push(
      fillTemplate(words('only the first {maxFallbacks} are tried for {long}'), {
        maxFallbacks: MAX_FALLBACKS,
        long: joinList(long),
      }),
    )
  return {
    ...label,
    notes,
    key: 'FallbackModels',
    value: JSON.stringify({ default: Object.fromEntries(table) }),
  }
}

type Pair = readonly [kind: string, value: unknown]

const asPairs = (value: unknown): Pair[] =>
  Array.isArray(value) ? value.filter((each): each is Pair => Array.isArray(each) && typeof each[0] === 'string') : []

/** Returns the names in a list. A fallback may also be an object with the fields of a request. */
const asNames = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .map((each: unknown) => (typeof each === 'string' ? each : (each as { model?: unknown } | null)?.model))
    .filter((name) => typeof name === 'string')

/** Returns the lists of one kind by model; the first one of a model counts. */
function parseLists(pairs: readonly Pair[], requested: string): Map<string, string[]> {
  const lists = new Map<string, string[]>()
  const add = (model: string, value: unknown) => {
    if (!lists.has(model)) lists.set(model, asNames(value))
  }
  for (const [kind, value] of pairs)
    if (kind === requested)
      for (const entry of [value].flat())
        if (typeof entry === 'object' && entry !== null)
          for (const [model, names] of Object.entries(entry)) add(model, names)
  if (requested === 'fallbacks') for (const [kind, value] of pairs) if (kind === 'default_fallbacks') add(ANY, value)
  return lists
}
