// Model prices as the settings store them: JSON maps, the same as a table, and the models that no map contains.
import { useTexts, fillPhrase } from '../../../data/texts.tsx'
import { useUrlState } from '../../../data/use-paging.ts'
import { parseRows } from './maps.ts'
import { usePriceMaps } from './rows.tsx'
import { MapsTab, UnsetTab, VisualTab } from './tabs.tsx'
import { EmptyState } from '../../../parts/empty.tsx'
import { Note } from '../../../parts/note.tsx'
import { Tabs } from '../../../parts/tabs.tsx'
import { LoadingIndicator } from '../../../parts/waiting.tsx'
import { words } from './texts.ts'
import './prices.css'

export function PricesCard() {
  const t = useTexts(words)
  const maps = usePriceMaps()
  const [{ prices }, setState] = useUrlState({ prices: 'maps' })
  const rows = parseRows(maps.texts)
  return (
    <section className="sheet" id="operation.prices" aria-labelledby="operation.prices.title">
      <h2 id="operation.prices.title">{t.title}</h2>
      {maps.moved.length > 0 && <Note warns>{fillPhrase(t.moved, { names: maps.moved.join(', ') })}</Note>}
      <Tabs
        label={t.views}
        value={prices}
        onChange={(next) => setState({ prices: next })}
        tabs={(['maps', 'visual', 'unset'] as const).map((value) => ({ value, label: t[value] }))}
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
          <Note warns>{t.brokenMaps}</Note>
        ) : prices === 'unset' ? (
          <UnsetTab maps={maps} rows={rows} />
        ) : (
          <VisualTab maps={maps} rows={rows} />
        )}
      </Tabs>
    </section>
  )
}
