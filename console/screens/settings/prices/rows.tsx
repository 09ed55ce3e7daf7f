// Price maps as JSON texts: the values of one model, and merging of concurrent changes.
import { useEffect, useMemo, useState } from 'react'
import { client, RequestFailure, withoutErrorToast } from '../../../data/client.ts'
import { notify } from '../../../data/notify.ts'
import { useTexts } from '../../../data/texts.tsx'
import { useAction, useEndpoint } from '../../../data/use-endpoint.ts'
import { Input } from '../../../semi.ts'
import { parseAmount } from '../../prices/draft.ts'
import { words as settingWords } from '../texts.ts'
import { notifySaveFailure } from '../use-save.ts'
import { PRICE_MAPS } from './maps.built.ts'
import { words } from './texts.ts'

/** Texts by the name of their setting. */
export type MapTexts = Readonly<Record<string, string>>
type Table = Record<string, unknown>

/** Parses a table; undefined if the text is no JSON object. */
export function parseMap(text: string): Table | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : undefined
  } catch {
    return undefined
  }
}

/** Formats a table the way settings are stored. */
export const formatMap = (table: Table): string => JSON.stringify(table, null, 2)

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
  const [base, own, other] = [before, ownText, foreignText].map((text) => parseMap(text) ?? {}) as [Table, Table, Table]
  const getValue = (table: Table, name: string) =>
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
export const ROW_MAPS = { price: 'ModelPrice', ratio: 'ModelRatio', completion: 'CompletionRatio' } as const
export const ROW_PARTS = Object.keys(ROW_MAPS) as (keyof typeof ROW_MAPS)[]

/** Returns every model that one of the three maps contains; undefined if one of them cannot be parsed. */
export function parseRows(texts: MapTexts): Map<string, RowValue> | undefined {
  const rows = new Map<string, RowValue>()
  for (const part of ROW_PARTS) {
    const table = parseMap(texts[ROW_MAPS[part]] ?? '')
    if (!table) return undefined
    for (const [name, value] of Object.entries(table)) rows.set(name, { ...rows.get(name), [part]: Number(value) })
  }
  return rows
}

/** Returns the texts with these rows replaced. A row of null is removed. */
export function setRows(texts: MapTexts, rows: Readonly<Record<string, RowValue | null>>): Record<string, string> {
  const changed = ROW_PARTS.map((part) => {
    const key = ROW_MAPS[part]
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

// The stored and the edited price maps of all three views, saved together.

const read = async (): Promise<MapTexts> => {
  const keys = new Set(PRICE_MAPS.map(({ key }) => key))
  const rows = await client.settings.list()
  return Object.fromEntries(rows.filter(({ key }) => keys.has(key)).map(({ key, value }) => [key, value]))
}

export function usePriceMaps() {
  const t = useTexts(words)
  const saving = useTexts(settingWords)
  const found = useEndpoint(['settings.list', 'prices'], read)
  /** Values that another user has saved, found while saving; null otherwise. */
  const [newer, setNewer] = useState<MapTexts | null>(null)
  const [drafts, setDrafts] = useState<MapTexts>({})
  /** Models that another user has changed as well. */
  const [moved, setMoved] = useState<readonly string[]>([])
  const stored = newer ?? found.data
  const texts = useMemo(() => ({ ...stored, ...drafts }), [stored, drafts])
  const changed = Object.keys(drafts).filter((key) => !isSameMap(drafts[key] ?? '', stored?.[key] ?? ''))
  const change = (values: MapTexts) => setDrafts((old) => ({ ...old, ...values }))

  const settle = async () => {
    setNewer(await read())
    setDrafts({})
    setMoved([])
  }

  /** Saves all changes or none. Foreign changes are merged, or the user is asked about conflicts. */
  async function write(base: MapTexts, requested: MapTexts): Promise<void> {
    const options = Object.entries(requested).map(([key, value]) => ({ key, value, was: base[key] }))
    try {
      await withoutErrorToast(() => client.settings.update({ options }))
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (error.code !== 'edit.conflict') {
        notifySaveFailure(error, options, saving)
        throw error
      }
      const foreign = await read()
      const merged = Object.entries(requested).map(
        ([key, ownText]) => [key, mergeMaps(base[key] ?? '', ownText, foreign[key] ?? '')] as const,
      )
      const next = Object.fromEntries(merged.map(([key, { text }]) => [key, text]))
      const conflicts = [...new Set(merged.flatMap(([, each]) => each.conflicts))]
      if (conflicts.length === 0) return write(foreign, next)
      setNewer(foreign)
      setDrafts((old) => ({ ...old, ...next }))
      setMoved(conflicts)
      throw error
    }
  }

  const [save, busy] = useAction(async (keys: readonly string[]) => {
    const own = changed.filter((key) => keys.includes(key))
    if (own.length === 0) return notify.warning(t.unchanged)
    if (own.some((key) => !parseMap(drafts[key] ?? ''))) return notify.error(t.check)
    await write(stored ?? {}, Object.fromEntries(own.map((key) => [key, drafts[key]!])))
    await settle()
    notify.success(t.saved)
  })
  return {
    found,
    stored,
    texts,
    changed,
    change,
    save,
    busy,
    moved,
    discard: () => setDrafts({}),
    reload: settle,
  }
}

export type PriceMaps = ReturnType<typeof usePriceMaps>

// A number in a cell, applied when the cell is left or Enter is pressed. An invalid number is reported and reset.

interface Props {
  label: string
  value: number | undefined
  disabled?: boolean
  onChange(value: number | undefined): void
}

export function NumberCell({ label, value, disabled, onChange }: Props) {
  const t = useTexts(words)
  const shown = value === undefined ? '' : String(value)
  const [typed, setTyped] = useState(shown)
  useEffect(() => setTyped(shown), [shown])
  const take = () => {
    if (typed === shown) return
    const next = parseAmount(typed)
    if (typed.trim() !== '' && next === undefined) {
      notify.error(t.number)
      setTyped(shown)
    } else onChange(next)
  }
  return (
    <Input
      size="small"
      className="price-cell"
      inputMode="decimal"
      aria-label={label}
      disabled={disabled}
      value={typed}
      onChange={setTyped}
      onBlur={take}
      onEnterPress={take}
    />
  )
}
