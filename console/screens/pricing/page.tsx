// The price list: the choice of the group, the price formula, and every model that can be called.
import { IconCopy, IconPrint, IconSearch } from '@douyinfe/semi-icons'
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
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { usePrinted } from '../../parts/use-printed.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { Button, Input } from '../../semi.ts'
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
  const pages = usePaging('window', 2)
  const printed = usePrinted()
  const read = useEndpointWithError(['pricing.list', user?.id ?? 0], () => apiClient.pricing.list())
  const { data: models = NONE, group_ratio = {}, usable_group = {} } = read.data ?? {}
  const own = user?.group ?? DEFAULT_GROUP
  const group = [place.group, own, DEFAULT_GROUP].find((name) => name in group_ratio) ?? own
  const ratio = group_ratio[group] ?? 1
  const viewed: SelectedGroup = { group, ratio, usable: usable_group }
  const view = (name: string) => {
    setPlace({ group: name === own ? '' : name })
    showNotice.info(
      t('viewing group {group}, ratio {ratio}', { group: name, ratio: formatRatioText(group_ratio[name] ?? 1) }),
    )
  }
  const times = useAnswerTimes()
  const columns = usePriceColumns(viewed, user ? times : undefined, {
    view,
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
        <InlineNote warns={!user}>
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
        <div className="filters pricing-bar" role="search">
          <Search label={t('Find a model')} value={place.q} onChange={(q) => setPlace({ q })} />
          <SegmentedChoice
            labelled
            label={t('Group')}
            value={group}
            onChange={view}
            options={Object.entries(read.data?.group_ratio ?? { [group]: ratio }).map(([name, each]) => ({
              value: name,
              label: `${name} (${formatRatioText(each)}x)`,
            }))}
          />
          <SegmentedChoice
            labelled
            label={t('Provider')}
            value={place.provider}
            onChange={(provider) => setPlace({ provider })}
            options={[
              { value: '', label: t('All providers') },
              ...listProviders(models).map((name) => ({ value: name, label: name })),
            ]}
          />
          {user && (
            <SegmentedChoice
              labelled
              label={t('Answers within')}
              value={place.within}
              onChange={(within) => setPlace({ within })}
              options={[
                { value: '', label: t('any time') },
                ...WITHIN.map((n) => ({ value: String(n), label: t('{n} s', { n }) })),
              ]}
            />
          )}
        </div>
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
              ? t('No model that was called lately answers as quickly')
              : place.q || place.provider
                ? t('No model is called like that')
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

/** Searches while the user types, but not during the composition of an input method. */
function Search({ label, value, onChange }: { label: string; value: string; onChange(text: string): void }) {
  const [draft, setDraft] = useState<string | null>(null)
  const [composing, setComposing] = useState(false)
  const take = (text: string) => {
    setDraft(null)
    onChange(text)
  }
  return (
    <span className="search-field">
      <Input
        prefix={<IconSearch aria-hidden />}
        aria-label={label}
        placeholder={label}
        showClear
        value={draft ?? value}
        onChange={(text) => (composing ? setDraft(text) : take(text))}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={(event) => {
          setComposing(false)
          take((event.target as HTMLInputElement).value)
        }}
      />
    </span>
  )
}
