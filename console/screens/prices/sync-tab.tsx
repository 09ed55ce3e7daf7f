// The comparison with a catalogue: differences chosen row by row, their effect on past bills, and their adoption.
import { useState } from 'react'
import type { WeirClient } from '../../../core/contracts.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice } from '../../data/notify.ts'
import { type LoadedEndpoint, useAction } from '../../data/use-endpoint.ts'
import { usePaging, useUrlState } from '../../data/use-paging.ts'
import { useText, texts } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { Button } from '../../semi.ts'
import { sumBills } from './bills.tsx'
import type { PriceDifference } from './draft.ts'
import { LineDiff } from './line-diff.tsx'
import { FACT_TEXTS, useDifferenceColumns } from './sync-columns.tsx'
import { type CompareQuery, SyncSource } from './sync-source.tsx'
import { TRIAL_PERIOD_DAYS } from './trial.tsx'
import { toPagedList } from './whole-list.ts'

const STATUS_TEXTS = texts({ changed: 'Changed', new: 'New', same: 'The same', only_here: 'Only here' })

const REASON_TEXTS = texts({
  no_price: '{n} have no price',
  unusable: '{n} have a kind of price that Weir does not support',
  several: '{n} have several different prices',
})

// The facts of a model that differ in a catalogue, before and after.

export function FactsDiff({ row: { facts_differ, facts_now, facts_there } }: { row: PriceDifference }) {
  const t = useText()
  const value = (facts: PriceDifference['facts_now'], name: PriceDifference['facts_differ'][number]) =>
    [facts[name] ?? '–'].flat().join(', ')
  return (
    <ul>
      {facts_differ.map((name) => (
        <li key={name}>
          {t(FACT_TEXTS[name])}: {value(facts_now, name)} → {value(facts_there, name)}
        </li>
      ))}
    </ul>
  )
}

type PricePreview = Awaited<ReturnType<WeirClient['prices']['preview']>>

const hasOtherPrice = ({ status, to }: PriceDifference) => (status === 'new' || status === 'changed') && to !== null
const isDifferent = (row: PriceDifference) => hasOtherPrice(row) || row.facts_differ.length > 0

/** Returns the parts that differ, with the versions that were shown. */
const toChange = (row: PriceDifference) => ({
  model: row.model,
  ...(hasOtherPrice(row) ? { version: row.version, price: row.to } : {}),
  ...(row.facts_differ.length > 0 ? { facts_version: row.facts_version, facts: row.facts_to } : {}),
})

export function SyncTab({ onChanged }: { onChanged(): void }) {
  const t = useText()
  const [lastQuery, setLastQuery] = useState<CompareQuery | null>(null)
  const [found, setFound] = useState<PricePreview | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [compare, busy] = useAction(async (query: CompareQuery) => {
    setLastQuery(query)
    setFound(await apiClient.prices.preview({ ...query, days: TRIAL_PERIOD_DAYS }))
  })
  return (
    <>
      <SyncSource
        busy={busy}
        compare={(query) => {
          setChosen(new Set())
          void compare(query)
        }}
      />
      {found && (
        <Differences
          found={found}
          chosen={chosen}
          setChosen={setChosen}
          onApplied={() => {
            onChanged()
            setChosen(new Set())
            if (lastQuery) void compare(lastQuery)
          }}
          onRefused={() => lastQuery && void compare(lastQuery)}
        />
      )}
      {!found && !busy && (
        <p className="muted">{t('A gateway’s /api/pricing or /api/ratio_config, or any list of a known kind')}</p>
      )}
    </>
  )
}

interface Props {
  found: PricePreview
  chosen: ReadonlySet<string>
  setChosen(models: ReadonlySet<string>): void
  onApplied(): void
  /** Another user has changed one of them: the comparison is loaded again, and the selection stays. */
  onRefused(): void
}

function Differences({ found: { data, source, skipped }, chosen, setChosen, onApplied, onRefused }: Props) {
  const t = useText()
  const format = useFormat()
  const paging = usePaging({ above: 325 })
  const [filter, setFilter] = useUrlState({ keyword: '', status: '' })
  const differing = data.filter(isDifferent)
  const rows = data
    .filter((row) => (filter.status === '' ? isDifferent(row) : row.status === filter.status))
    .filter(({ model }) => model.toLowerCase().includes(filter.keyword.toLowerCase()))
  const taken = differing.filter(({ model }) => chosen.has(model))
  const sum = sumBills(taken)
  const n = taken.length
  const name = source === 'builtin' ? t('Weir’s own catalogue') : source
  const summary = t('With the chosen prices the last 7 days would have charged {after} instead of {now}.', {
    now: format.quota(sum.charged),
    after: format.quota(sum.would_charge),
  })
  const [apply] = useAction(async () => {
    const title = t('Import prices and facts of {n} models from {source}?', { n, source: name })
    if (!(await askConfirmation({ title, body: summary, yes: t('Import {n} models', { n }), harmless: true }))) return
    try {
      await apiClient.prices.apply({ source, changes: taken.map(toChange) })
    } catch (error) {
      onRefused()
      throw error
    }
    showNotice.success(t('prices and facts of {n} models imported', { n }))
    onApplied()
  })
  return (
    <>
      <Summary data={data} source={name} skipped={skipped} />
      {n > 0 && (
        <p className="price-would" role="status">
          {summary}
        </p>
      )}
      <FilterBar
        list="price-differences"
        search={{ name: 'keyword', label: t('Model') }}
        filters={[
          {
            name: 'status',
            label: t('Status'),
            options: (['new', 'changed', 'same', 'only_here'] as const).map((value) => ({
              value,
              label: t(STATUS_TEXTS[value]),
            })),
          },
        ]}
        value={filter}
        onChange={setFilter}
        after={
          differing.length > 0 && (
            <Button
              size="small"
              type="tertiary"
              onClick={() => setChosen(new Set(differing.map(({ model }) => model)))}
            >
              {t('Choose all {n} with differences', { n: differing.length })}
            </Button>
          )
        }
      />
      <DataTable
        name="price-differences"
        label={t('Differences')}
        columns={useDifferenceColumns()}
        rowKey={({ model }) => model}
        rowName={({ model }) => model}
        list={toPagedList(loaded, rows, paging)}
        paging={paging}
        selection={{
          keys: [...chosen],
          has: (key) => differing.some(({ model }) => model === key),
          select: (keys) => setChosen(new Set(keys.map(String))),
          actions: [{ key: 'apply', label: t('Import {n} models', { n }), run: () => void apply() }],
        }}
        renderDetails={(row) => (
          <>
            <LineDiff now={row.now} there={row.there} heads={[t('Now'), t('There')]} />
            {row.facts_differ.length > 0 && <FactsDiff row={row} />}
          </>
        )}
        empty={{ title: t('Nothing differs') }}
      />
    </>
  )
}

/** The data is already loaded. */
const loaded: LoadedEndpoint<null> = {
  data: null,
  loading: false,
  error: null,
  freshAt: 0,
  reload: () => undefined,
  change: () => undefined,
}

function Summary({
  data,
  source,
  skipped,
}: {
  data: readonly PriceDifference[]
  source: string
  skipped: PricePreview['skipped']
}) {
  const t = useText()
  const count = (status: PriceDifference['status']) => data.filter((row) => row.status === status).length
  const parts = (['no_price', 'unusable', 'several'] as const).flatMap((reason) => {
    const n = skipped.filter((one) => one.reason === reason).length
    return n > 0 ? [t(REASON_TEXTS[reason], { n })] : []
  })
  return (
    <InlineNote>
      {t('Compared with {source}: {fresh} new, {changed} changed, {same} the same.', {
        source,
        fresh: count('new'),
        changed: count('changed'),
        same: count('same'),
      })}
      {parts.length > 0 && <> {t('Left out: {parts}.', { parts: parts.join(', ') })}</>}
    </InlineNote>
  )
}
