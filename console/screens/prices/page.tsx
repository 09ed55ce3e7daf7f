// Prices: all of them, models without one, the history, and the comparison with a catalogue.
import { IconPlus } from '@douyinfe/semi-icons'
import { loadLater } from '../../parts/load-later.ts'
import { queryClient } from '../../data/session.tsx'
import { useUrlState } from '../../data/use-paging.ts'
import { useText, texts } from '../../data/texts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { TabList } from '../../parts/tabs.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { PriceListTab } from './list-tab.tsx'
import './prices.css'

const TAB_TEXTS = texts({
  missing: 'Without a price',
  prices: 'Prices',
  ratios: 'As ratios',
  history: 'History',
  sync: 'Catalogue',
})

const PriceEditor = loadLater(async () => (await import('./editor.tsx')).PriceEditor)
const MissingTab = loadLater(async () => (await import('./missing-tab.tsx')).MissingTab, <LoadingIndicator />)
const HistoryTab = loadLater(async () => (await import('./history-tab.tsx')).HistoryTab, <LoadingIndicator />)
const SyncTab = loadLater(async () => (await import('./sync-tab.tsx')).SyncTab, <LoadingIndicator />)

const PricesCard = loadLater(
  async () => (await import('../settings/prices/prices-card.tsx')).SellingPricesCard,
  <LoadingIndicator />,
)

/** The state in the address: the view and its filters, and the open panel. */
const STATE = { tab: 'prices', edit: '', from: '', keyword: '', source: '', scope: '', sort: '', status: '' }
/** The model in the address of a panel for a model that is yet to be named. */
const NEW = ' new'
const refreshPrices = () =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('prices.') })

export function Page() {
  const t = useText()
  const [{ tab, edit, from }, setState] = useUrlState(STATE)
  const open = (model: string, channel = '') => setState({ edit: model, from: channel })
  // The filters of a view do not apply to others.
  const show = (next: string, model = '') => setState({ ...STATE, tab: next, keyword: model })
  return (
    <>
      <PageHead title={t('Model prices')}>
        <Button theme="solid" icon={<IconPlus aria-hidden />} aria-keyshortcuts="n" onClick={() => open(NEW)}>
          {t('Set a price')}
        </Button>
      </PageHead>
      <div className="sheet">
        <TabList
          label={t('Views of the prices')}
          value={tab}
          onChange={(next) => show(next)}
          tabs={(['prices', 'missing', 'history', 'sync', 'ratios'] as const).map((value) => ({
            value,
            label: t(TAB_TEXTS[value]),
          }))}
        >
          {tab === 'missing' ? (
            <MissingTab set={open} />
          ) : tab === 'history' ? (
            <HistoryTab onChanged={refreshPrices} />
          ) : tab === 'sync' ? (
            <SyncTab onChanged={refreshPrices} />
          ) : tab === 'ratios' ? (
            <PricesCard />
          ) : (
            <PriceListTab
              edit={({ model, channel }) => open(model, channel)}
              showHistory={(model) => show('history', model)}
            />
          )}
        </TabList>
      </div>
      {edit !== '' && (
        <PriceEditor
          key={`${from} ${edit}`}
          model={edit === NEW ? '' : edit}
          channel={from}
          onClose={() => open('')}
          onSaved={refreshPrices}
        />
      )}
    </>
  )
}
