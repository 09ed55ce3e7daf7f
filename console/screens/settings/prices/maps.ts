// Maps of prices as texts of JSON: what of them is one model's, and two people's changes laid over each other.

/** By the name of a setting. */
export type MapTexts = Readonly<Record<string, string>>
type Table = Record<string, unknown>

/** Undefined where the text is no JSON object. */
export function tableIn(text: string): Table | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : undefined
  } catch {
    return undefined
  }
}

/** As the settings keep it. */
export const textOf = (table: Table): string => JSON.stringify(table, null, 2)

export const isSameMap = (one: string, other: string): boolean => {
  const [a, b] = [tableIn(one), tableIn(other)]
  return a && b ? textOf(a) === textOf(b) : one === other
}

interface Merged {
  text: string
  /** Names that both have changed, differently; the text has what is mine of them. */
  conflicts: string[]
}

/** Mine and theirs, both made from the same text: what each of us has changed, by name. */
export function mergedMap(before: string, mine: string, theirs: string): Merged {
  const [base, own, other] = [before, mine, theirs].map((text) => tableIn(text) ?? {}) as [Table, Table, Table]
  const said = (table: Table, name: string) => (Object.hasOwn(table, name) ? JSON.stringify(table[name]) : undefined)
  const names = [...new Set([...Object.keys(base), ...Object.keys(own)])]
  const changed = names.filter((name) => said(own, name) !== said(base, name))
  const merged = new Map(Object.entries(other))
  for (const name of changed) {
    if (Object.hasOwn(own, name)) merged.set(name, own[name])
    else merged.delete(name)
  }
  const conflicts = changed.filter(
    (name) => said(other, name) !== said(base, name) && said(other, name) !== said(own, name),
  )
  return { text: textOf(Object.fromEntries(merged)), conflicts }
}

/** The three numbers of a row of the visual table. */
export interface RowValue {
  /** USD per request. */
  price?: number | undefined
  /** 1 is 2 USD per 1M tokens. */
  ratio?: number | undefined
  completion?: number | undefined
}

/** In which setting each stands. */
export const ROW_MAPS = { price: 'ModelPrice', ratio: 'ModelRatio', completion: 'CompletionRatio' } as const
export const ROW_PARTS = Object.keys(ROW_MAPS) as (keyof typeof ROW_MAPS)[]

/** Every model that one of the three maps names; undefined where one of them cannot be read. */
export function rowsIn(texts: MapTexts): Map<string, RowValue> | undefined {
  const rows = new Map<string, RowValue>()
  for (const part of ROW_PARTS) {
    const table = tableIn(texts[ROW_MAPS[part]] ?? '')
    if (!table) return undefined
    for (const [name, value] of Object.entries(table)) rows.set(name, { ...rows.get(name), [part]: Number(value) })
  }
  return rows
}

/** The texts with these rows in place of what stands there; a row of null is none. */
export function withRows(texts: MapTexts, rows: Readonly<Record<string, RowValue | null>>): Record<string, string> {
  const changed = ROW_PARTS.map((part) => {
    const key = ROW_MAPS[part]
    const table = new Map(Object.entries(tableIn(texts[key] ?? '') ?? {}))
    for (const [name, value] of Object.entries(rows)) {
      const number = value?.[part]
      if (number === undefined) table.delete(name)
      else table.set(name, number)
    }
    return [key, textOf(Object.fromEntries(table))] as const
  })
  return Object.fromEntries(changed)
}

/** USD per 1M tokens of a ratio of 1. */
const DOLLARS_PER_RATIO = 2
/** Far more than any price has: what was typed as dollars is the same dollars again, whatever its ratio ends in. */
const DIGITS = 12
const rounded = (value: number) => Number(value.toPrecision(DIGITS))

/** What tokens cost by their ratios, in USD per 1M. */
export const dollarsOfRatios = ({ ratio, completion }: RowValue) => ({
  input: ratio === undefined ? undefined : rounded(ratio * DOLLARS_PER_RATIO),
  output: ratio === undefined || completion === undefined ? undefined : rounded(ratio * DOLLARS_PER_RATIO * completion),
})

/** The opposite. Free input has no ratio to output. */
export const ratiosOfDollars = (input: number, output: number | undefined): RowValue => ({
  ratio: input / DOLLARS_PER_RATIO,
  completion: output === undefined || input === 0 ? undefined : output / input,
})
