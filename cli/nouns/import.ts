// Display of an import: how many rows of each kind had which result, and every row that was changed or left out.
import type { ImportCount, ImportLine } from '../../core/imports/imported-rows.ts'
import type { Language } from '../../core/errors.ts'
import { words } from '../texts.ts'
import { count, flag, object, text, word, type OutputView } from '../output/view.ts'

export interface ImportResult {
  product: string
  dry_run: boolean
  counts: readonly ImportCount[]
  lines: readonly ImportLine[]
}

export const importCountView: OutputView<ImportCount> = {
  kind: text(words('WHAT'), 1, ({ kind }) => kind, { tone: () => 'strong' }),
  rows: count(
    words('ROWS', { context: 'import' }),
    2,
    ({ came, changed, left, known }) => came + changed + left + known,
  ),
  came: count(words('CAME'), 1, ({ came }) => came, { tone: () => 'good' }),
  changed: count(words('CHANGED', { context: 'import' }), 1, ({ changed }) => changed),
  left: count(words('LEFT', { context: 'import' }), 1, ({ left }) => left, {
    tone: ({ left }) => (left > 0 ? 'bad' : 'plain'),
  }),
  known: count(words('KNOWN'), 1, ({ known }) => known),
}

const OUTCOMES = {
  came: words('came'),
  changed: words('changed', { context: 'import' }),
  left: words('left'),
  known: words('known'),
}

export const importLineView: OutputView<ImportLine> = {
  kind: text(words('WHAT'), 1, ({ kind }) => kind),
  id: text(words('ID'), 2, ({ id }) => id),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  outcome: word(words('OUTCOME'), 1, OUTCOMES, ({ outcome }) => outcome, {
    tone: ({ outcome }) => (outcome === 'left' ? 'bad' : 'plain'),
  }),
  why: text(words('WHY'), 3, ({ why }) => why.en, {
    flexible: true,
    below: true,
    shown: ({ why }, { language }) => why[language],
  }),
}

export const importView: OutputView<ImportResult> = {
  product: text(words('PRODUCT'), 1, ({ product }) => product),
  dry_run: flag(words('DRY RUN'), 1, ({ dry_run }) => dry_run),
  counts: object(words('COUNTS'), ({ counts }) => counts),
  lines: object(words('ROWS', { context: 'list' }), ({ lines }) => lines),
}

/** Groups rows with the same result and reason into one line for people, if there are many. */
export function groupImportLines(lines: readonly ImportLine[], language: Language): ImportLine[] {
  const alike = new Map<string, ImportLine[]>()
  for (const line of lines) {
    const key = `${line.kind} ${line.outcome} ${line.why[language]}`
    const list = alike.get(key) ?? []
    if (list.push(line) === 1) alike.set(key, list)
  }
  return [...alike.values()].flatMap((same) => {
    const [first] = same
    if (!first || same.length <= MAX_SINGLE_LINES) return same
    return [{ ...first, id: `${same.length} rows`, name: `${first.name}, …` }]
  })
}

const MAX_SINGLE_LINES = 5
