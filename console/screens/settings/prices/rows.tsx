// The stored and the edited price maps of all three views, saved together.
import { useEffect, useMemo, useState } from 'react'
import { apiClient, quietClient, RequestFailure } from '../../../data/client.ts'
import { showNotice } from '../../../data/notify.ts'
import { useAction, useEndpointWithFirstError } from '../../../data/use-endpoint.ts'
import { useText } from '../../../data/texts.tsx'
import { Input } from '../../../semi.ts'
import { parseAmount } from '../../prices/draft.ts'
import { notifySaveFailure } from '../use-save.ts'
import { PRICE_MAP_SETTINGS } from './maps.built.ts'
import { isSameMap, type MapTexts, mergeMaps, parseMap } from './maps.ts'

const read = async (): Promise<MapTexts> => {
  const keys = new Set(PRICE_MAP_SETTINGS.map(({ key }) => key))
  const rows = await apiClient.settings.list()
  return Object.fromEntries(rows.filter(({ key }) => keys.has(key)).map(({ key, value }) => [key, value]))
}

export function usePriceMaps() {
  const t = useText()
  const found = useEndpointWithFirstError(['settings.list', 'prices'], read)
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
      await quietClient.settings.update({ options })
    } catch (error) {
      if (!(error instanceof RequestFailure)) throw error
      if (error.code !== 'edit.conflict') {
        notifySaveFailure(error, options, t)
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
    if (own.length === 0) return showNotice.warning(t("you don't seem to have changed anything"))
    if (own.some((key) => !parseMap(drafts[key] ?? ''))) return showNotice.error(t('Please check the input'))
    await write(stored ?? {}, Object.fromEntries(own.map((key) => [key, drafts[key]!])))
    await settle()
    showNotice.success(t('saved'))
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

export function PriceNumberCell({ label, value, disabled, onChange }: Props) {
  const t = useText()
  const shown = value === undefined ? '' : String(value)
  const [typed, setTyped] = useState(shown)
  useEffect(() => setTyped(shown), [shown])
  const take = () => {
    if (typed === shown) return
    const next = parseAmount(typed)
    if (typed.trim() !== '' && next === undefined) {
      showNotice.error(t('Please enter a number'))
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
