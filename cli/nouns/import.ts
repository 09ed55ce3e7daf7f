// Display of an import: how many rows of each kind had which result, and every row that was changed or left out.
import type { ImportCount, ImportLine } from '../../core/imports/arrival.ts'
import { words, type Language } from '../../core/errors.ts'
import { count, flag, object, text, word, type View } from '../view.ts'

export interface ImportResult {
  product: string
  dry_run: boolean
  counts: readonly ImportCount[]
  lines: readonly ImportLine[]
}

export const importCountView: View<ImportCount> = {
  kind: text(words('WHAT', '内容'), 1, ({ kind }) => kind, { tone: () => 'strong' }),
  rows: count(words('ROWS', '行数'), 2, ({ came, changed, left, known }) => came + changed + left + known),
  came: count(words('CAME', '已导入'), 1, ({ came }) => came, { tone: () => 'good' }),
  changed: count(words('CHANGED', '有更改'), 1, ({ changed }) => changed),
  left: count(words('LEFT', '未导入'), 1, ({ left }) => left, { tone: ({ left }) => (left > 0 ? 'bad' : 'plain') }),
  known: count(words('KNOWN', '此前已导入'), 1, ({ known }) => known),
}

const OUTCOMES = {
  came: words('came', '已导入'),
  changed: words('changed', '有更改'),
  left: words('left', '未导入'),
  known: words('known', '此前已导入'),
}

export const importLineView: View<ImportLine> = {
  kind: text(words('WHAT', '内容'), 1, ({ kind }) => kind),
  id: text(words('ID', '编号'), 2, ({ id }) => id),
  name: text(words('NAME', '名称'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  outcome: word(words('OUTCOME', '结果'), 1, OUTCOMES, ({ outcome }) => outcome, {
    tone: ({ outcome }) => (outcome === 'left' ? 'bad' : 'plain'),
  }),
  why: text(words('WHY', '原因'), 1, ({ why }) => why.en, {
    flexible: true,
    shown: ({ why }, { language }) => why[language],
  }),
}

export const importView: View<ImportResult> = {
  product: text(words('PRODUCT', '产品'), 1, ({ product }) => product),
  dry_run: flag(words('DRY RUN', '试运行'), 1, ({ dry_run }) => dry_run),
  counts: object(words('COUNTS', '计数'), ({ counts }) => counts),
  lines: object(words('ROWS', '行'), ({ lines }) => lines),
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
