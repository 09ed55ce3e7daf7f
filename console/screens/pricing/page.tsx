// The price list: the choice of the group, the price formula, and every model that can be called.
import { IconCopy, IconPrint } from '@douyinfe/semi-icons'
import { useDeferredValue, useMemo, useState } from 'react'
import { loadLater } from '../../parts/load-later.ts'
import type { PricedModel } from '../../../core/pricing/contract.ts'
import { formatRatioText } from '../../../core/pricing/display.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useEndpointWithError } from '../../data/use-endpoint.ts'
import { createSinglePage, cutPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import type { ListFilter } from '../../parts/filters/filter.ts'
import { useCopy } from '../../parts/text/copy.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { usePrinted } from '../../parts/use-printed.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { Button } from '../../semi.ts'
import { usePriceColumns, type SelectedGroup } from './columns.tsx'
import { sortPricedModels } from './prices.ts'
import { rankMatches } from './ranked.ts'
import { useAnswerTimes } from './use-answer-times.ts'
import './pricing.css'

const FormulaDialog = loadLater(async () => (await import('./formula-picture.tsx')).FormulaDialog)
const ModelDialog = loadLater(async () => (await import('./model-dialog.tsx')).PricedModelDialog)

const CompareDialog = loadLater(async () => (await import('./compare-dialog.tsx')).CompareDialog)

/** Number of models in a comparison. */
const COMPARED = { least: 2, most: 4 }

const DEFAULT_GROUP = 'default'
/** Options for the maximum answer time, in seconds. */
const WITHIN = [1, 2, 5, 10]

type PriceFilter = 'q' | 'group' | 'provider' | 'within'

export function Page() {
  const t = useText()
  const { user } = useSignedInUser()
  const [place, setPlace] = useUrlState({
    q: '',
    model: '',
    group: '',
    provider: '',
    within: '',
    sort: '',
    compare: '',
  })
  const [explained, setExplained] = useState(false)
  const [chosen, select] = useState<(string | number)[]>([])
  const [copy, copyDialog] = useCopy()
  const pages = usePaging({ above: 305, lines: 2 })
  const printed = usePrinted()
  const read = useEndpointWithError(['pricing.list', user?.id ?? 0], () => apiClient.pricing.list())
  const { data: models = NONE, group_ratio = {}, usable_group = {} } = read.data ?? {}
  const own = user?.group ?? DEFAULT_GROUP
  /** The group until another one is chosen. */
  const first = [own, DEFAULT_GROUP].find((name) => name in group_ratio) ?? own
  const group = place.group in group_ratio ? place.group : first
  const ratio = group_ratio[group] ?? 1
  const viewed: SelectedGroup = { group, ratio, usable: usable_group }
  const find = ({ group: chosen = group, ...change }: Partial<Record<PriceFilter, string>>) => {
    setPlace({ ...change, group: chosen === first ? '' : chosen })
    if (chosen !== group)
      showNotice.info(
        t('Viewing group {group}, ratio {ratio}', { group: chosen, ratio: formatRatioText(group_ratio[chosen] ?? 1) }),
      )
  }
  const filters: ListFilter<PriceFilter>[] = [
    {
      name: 'group',
      label: t('Group'),
      none: first,
      showsNone: true,
      options: Object.entries(group_ratio).map(([name, factor]) => ({
        value: name,
        label: `${name} (${formatRatioText(factor)}x)`,
      })),
    },
    { name: 'provider', label: t('Provider'), options: listProviders(models).map((value) => ({ value })) },
    ...(user
      ? [
          {
            name: 'within' as const,
            label: t('Answers within'),
            options: WITHIN.map((n) => ({ value: String(n), label: t('{n} s', { n }) })),
          },
        ]
      : []),
  ]
  const times = useAnswerTimes()
  const columns = usePriceColumns(viewed, user ? times : undefined, {
    view: (name) => find({ group: name }),
    copy: (name) => void copy(name),
    explain: () => setExplained(true),
  })
  const query = useDeferredValue(place.q)
  const rows = useMemo(() => {
    const ofProvider = models.filter(({ owner_by }) => place.provider === '' || owner_by === place.provider)
    const most = Number(place.within) * 1000
    const inTime = ofProvider.filter(
      ({ model_name }) => place.within === '' || (times.get(model_name) ?? Infinity) <= most,
    )
    const inOrder = sortPricedModels(inTime, { by: place.sort, group, groupRatio: ratio, times })
    const found = rankMatches(inOrder, ({ model_name }) => model_name, query)
    // A chosen order takes precedence over the ranking of the search.
    return place.sort ? inOrder.filter((model) => found.includes(model)) : found
  }, [models, place.provider, place.within, place.sort, group, ratio, times, query])
  // A printed list is complete.
  const paging = printed ? createSinglePage(rows.length) : pages
  const opened = models.find(({ model_name }) => model_name === place.model)
  const compared = place.compare.split(',').slice(0, COMPARED.most)
  const sideBySide = models.filter(({ model_name }) => compared.includes(model_name))
  const canCompare = chosen.length >= COMPARED.least && chosen.length <= COMPARED.most
  const compare = () => setPlace({ compare: chosen.join(',') })
  const copyAll = () => void copy(chosen.join(','), t('{n} models', { n: chosen.length }))
  return (
    <div className="pricing">
      <PageHead title={t('Pricing')}>
        <Button type="tertiary" icon={<IconPrint aria-hidden />} onClick={() => window.print()}>
          {t('Print')}
        </Button>
        <Button disabled={!canCompare} data-tip={t('Two to four selected models side by side')} onClick={compare}>
          {t('Compare', { context: 'models' })}
        </Button>
        <Button icon={<IconCopy aria-hidden />} disabled={chosen.length === 0} onClick={copyAll}>
          {t('Copy selected models')}
        </Button>
      </PageHead>
      {/* Its place is kept until the prices are there, so that the list does not move. */}
      {!read.error && (
        // The browser gives a text that replaces another no capital letter.
        <InlineNote key={read.data ? 'prices' : 'waiting'} warns={!user}>
          {!read.data
            ? '…'
            : user
              ? t('your group {group}, ratio {ratio}', { group: own, ratio: formatRatioText(group_ratio[own] ?? 1) })
              : t('not signed in; prices use the default ratio {ratio}', {
                  ratio: formatRatioText(group_ratio[DEFAULT_GROUP] ?? 1),
                })}
        </InlineNote>
      )}
      <InlineNote>
        {t('cost = group ratio x model ratio x (prompt tokens + completion tokens x completion ratio) / 500000 USD')}{' '}
        <button type="button" className="as-link" onClick={() => setExplained(true)}>
          {t('Show how ratios become a price')}
        </button>
      </InlineNote>
      <div className="sheet">
        <FilterBar
          // A visitor has no views.
          list={user ? 'pricing' : undefined}
          search={{ name: 'q', label: t('Find a model') }}
          filters={filters}
          value={{ ...place, group }}
          onChange={find}
        />
        <DataTable
          name="pricing"
          label={t('models')}
          columns={columns}
          rowKey={({ model_name }) => model_name}
          rowName={({ model_name }) => model_name}
          list={{
            ...read,
            data: read.data && cutPageRows(rows, paging),
            loadAll: () => Promise.resolve(rows),
            change: () => undefined,
          }}
          paging={paging}
          actions={({ model_name }) => ({
            verb: { key: 'all', label: t('All prices'), run: () => setPlace({ model: model_name }) },
            more: [],
          })}
          selection={{
            keys: chosen,
            select,
            actions: [{ key: 'copy', label: t('Copy selected models'), run: copyAll }],
          }}
          sort={{ by: place.sort, change: (sort) => setPlace({ sort }) }}
          empty={{
            title: place.within
              ? t('No model that was called recently answers that quickly')
              : place.q || place.provider
                ? t('No model has this name')
                : t('No model can be called yet'),
          }}
        />
      </div>
      {explained && (
        <FormulaDialog models={rows} group={group} groupRatio={ratio} onClose={() => setExplained(false)} />
      )}
      {sideBySide.length >= COMPARED.least && (
        <CompareDialog models={sideBySide} viewed={viewed} onClose={() => setPlace({ compare: '' })} />
      )}
      {opened && <ModelDialog model={opened} viewed={viewed} onClose={() => setPlace({ model: '' })} />}
      {copyDialog}
    </div>
  )
}

const NONE: readonly PricedModel[] = []

const listProviders = (models: readonly PricedModel[]): string[] =>
  [...new Set(models.map(({ owner_by }) => owner_by))].sort()
