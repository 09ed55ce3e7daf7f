// Model prices as the settings store them: JSON maps, the same as a table, and the models that no map contains.
import { useUrlState } from '../../../data/use-paging.ts'
import { useText, texts } from '../../../data/texts.tsx'
import { parsePriceRows } from './maps.ts'
import { usePriceMaps } from './rows.tsx'
import { MapsTab, UnsetTab, VisualTab } from './tabs.tsx'
import { EmptyState } from '../../../parts/status/empty.tsx'
import { InlineNote } from '../../../parts/status/note.tsx'
import { TabList } from '../../../parts/tabs.tsx'
import { LoadingIndicator } from '../../../parts/status/waiting.tsx'
import './prices.css'

const TAB_TEXTS = texts({
  maps: 'Model ratio settings',
  visual: 'Visual ratio settings',
  unset: 'Models with no ratio set',
})

export function SellingPricesCard() {
  const t = useText()
  const maps = usePriceMaps()
  const [{ prices }, setState] = useUrlState({ prices: 'maps' })
  const rows = parsePriceRows(maps.texts)
  return (
    <section
      className="sheet settings-prices"
      id="operation.prices"
      aria-labelledby="operation.prices.title"
      tabIndex={-1}
    >
      <h2 id="operation.prices.title">{t('Model prices', { context: 'settings' })}</h2>
      {maps.moved.length > 0 && (
        <InlineNote warns>
          {t(
            'Another user has changed the same prices in the meantime: {names}. Your values are shown; save again to replace theirs.',
            { names: maps.moved.join(', ') },
          )}
        </InlineNote>
      )}
      <TabList
        label={t('Ways to set prices')}
        value={prices}
        onChange={(next) => setState({ prices: next })}
        tabs={(['maps', 'visual', 'unset'] as const).map((value) => ({ value, label: t(TAB_TEXTS[value]) }))}
      >
        {!maps.stored ? (
          maps.found.error ? (
            <EmptyState failed title={maps.found.error} />
          ) : (
            <LoadingIndicator />
          )
        ) : prices === 'maps' ? (
          <MapsTab maps={maps} />
        ) : !rows ? (
          <InlineNote warns>
            {t('A map of prices is not valid JSON. Fix it in the model ratio settings first.')}
          </InlineNote>
        ) : prices === 'unset' ? (
          <UnsetTab maps={maps} rows={rows} />
        ) : (
          <VisualTab maps={maps} rows={rows} />
        )}
      </TabList>
    </section>
  )
}
