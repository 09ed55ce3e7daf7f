// Price maps as JSON texts: the values of one model, and merging of concurrent changes.

/** Texts by the name of their setting. */
export type MapTexts = Readonly<Record<string, string>>
type PriceMapTable = Record<string, unknown>

/** Parses a table; undefined if the text is no JSON object. */
export function parseMap(text: string): PriceMapTable | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PriceMapTable) : undefined
  } catch {
    return undefined
  }
}

/** Formats a table the way settings are stored. */
export const formatMap = (table: PriceMapTable): string => JSON.stringify(table, null, 2)

export const isSameMap = (one: string, other: string): boolean => {
  const [a, b] = [parseMap(one), parseMap(other)]
  return a && b ? formatMap(a) === formatMap(b) : one === other
}

interface Merged {
  text: string
  /** Names that both sides have changed to different values; the text has our own values for them. */
  conflicts: string[]
}

/** Merges our own and foreign changes of the same text, name by name. */
export function mergeMaps(before: string, ownText: string, foreignText: string): Merged {
  const [base, own, other] = [before, ownText, foreignText].map((text) => parseMap(text) ?? {}) as [
    PriceMapTable,
    PriceMapTable,
    PriceMapTable,
  ]
  const getValue = (table: PriceMapTable, name: string) =>
    Object.hasOwn(table, name) ? JSON.stringify(table[name]) : undefined
  const names = [...new Set([...Object.keys(base), ...Object.keys(own)])]
  const changed = names.filter((name) => getValue(own, name) !== getValue(base, name))
  const merged = new Map(Object.entries(other))
  for (const name of changed) {
    if (Object.hasOwn(own, name)) merged.set(name, own[name])
    else merged.delete(name)
  }
  const conflicts = changed.filter(
    (name) => getValue(other, name) !== getValue(base, name) && getValue(other, name) !== getValue(own, name),
  )
  return { text: formatMap(Object.fromEntries(merged)), conflicts }
}

/** The three numbers of a row of the visual table. */
export interface RowValue {
  /** USD per request. */
  price?: number | undefined
  /** 1 is 2 USD per 1M tokens. */
  ratio?: number | undefined
  completion?: number | undefined
}

/** The setting that each number is stored in. */
export const PRICE_ROW_MAPS = { price: 'ModelPrice', ratio: 'ModelRatio', completion: 'CompletionRatio' } as const
export const ROW_PARTS = Object.keys(PRICE_ROW_MAPS) as (keyof typeof PRICE_ROW_MAPS)[]

/** Returns every model that one of the three maps contains; undefined if one of them cannot be parsed. */
export function parsePriceRows(texts: MapTexts): Map<string, RowValue> | undefined {
  const rows = new Map<string, RowValue>()
  for (const part of ROW_PARTS) {
    const table = parseMap(texts[PRICE_ROW_MAPS[part]] ?? '')
    if (!table) return undefined
    for (const [name, value] of Object.entries(table)) rows.set(name, { ...rows.get(name), [part]: Number(value) })
  }
  return rows
}

/** Returns the texts with these rows replaced. A row of null is removed. */
export function setPriceRows(texts: MapTexts, rows: Readonly<Record<string, RowValue | null>>): Record<string, string> {
  const changed = ROW_PARTS.map((part) => {
    const key = PRICE_ROW_MAPS[part]
    const table = new Map(Object.entries(parseMap(texts[key] ?? '') ?? {}))
    for (const [name, value] of Object.entries(rows)) {
      const number = value?.[part]
      if (number === undefined) table.delete(name)
      else table.set(name, number)
    }
    return [key, formatMap(Object.fromEntries(table))] as const
  })
  return Object.fromEntries(changed)
}

/** Price in USD per 1M tokens at a ratio of 1. */
const DOLLARS_PER_RATIO = 2
/**
 * Significant digits of a stored ratio: more than any price has, so that dollars survive the conversion to a ratio and
 * back.
 */
const DIGITS = 12
const roundRatio = (value: number) => Number(value.toPrecision(DIGITS))

/** Converts ratios to token prices in USD per 1M tokens. */
export const toDollars = ({ ratio, completion }: RowValue) => ({
  input: ratio === undefined ? undefined : roundRatio(ratio * DOLLARS_PER_RATIO),
  output:
    ratio === undefined || completion === undefined ? undefined : roundRatio(ratio * DOLLARS_PER_RATIO * completion),
})

/** Converts prices to ratios. With free input there is no completion ratio. */
export const toRatios = (input: number, output: number | undefined): RowValue => ({
  ratio: input / DOLLARS_PER_RATIO,
  completion: output === undefined || input === 0 ? undefined : output / input,
})
