// One page of settings: its cards, and one button that saves them together.
import { lazy, Suspense } from 'react'
import { useText } from '../../data/texts.tsx'
import { useAnchor } from '../../parts/use-anchor.ts'
import { InlineNote } from '../../parts/status/note.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button } from '../../semi.ts'
import { isSavedAtOnce, ONE_BY_ONE, SettingsCard, toSentenceCase } from './card.tsx'
import { PRICES_CARD } from './form.ts'
import type { SettingsPage as PageDeclaration } from './pages.ts'
import { useSave } from './use-save.ts'
import { useSettingsForm } from './use-settings.tsx'

/** The table of all prices is loaded when its page is opened. */
const PricesCard = lazy(() =>
  import('./prices/prices-card.tsx').then(({ SellingPricesCard: Card }) => ({ default: Card })),
)

export function SettingsPage({ page: { cards, title } }: { page: PageDeclaration }) {
  const t = useText()
  const form = useSettingsForm()
  const { save, busy } = useSave()
  useAnchor(true)
  const settings = cards.flatMap((card) => card.settings)
  const keys = settings.map(({ key }) => key)
  const changed = form.changed.filter((key) => keys.includes(key))
  const isReadOnly = settings.length > 0 && !settings.some((setting) => form.mayChange(setting))
  const savesHere =
    !isReadOnly &&
    cards.some(
      (card) =>
        card.card !== PRICES_CARD &&
        !ONE_BY_ONE.includes(card.card) &&
        card.settings.some((setting) => !isSavedAtOnce(card, setting)),
    )
  const [only, ...others] = cards
  if (only?.card === PRICES_CARD)
    return (
      <Suspense fallback={<LoadingIndicator />}>
        <PricesCard />
      </Suspense>
    )
  return (
    <div
      className="settings-page"
      onKeyDown={(event) => {
        const isMeant = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
        // A dialog over the page, such as a panel, saves its own values.
        if (!isMeant || !savesHere || (event.target as Element).closest('dialog')) return
        event.preventDefault()
        void save(keys)
      }}
    >
      {others.length > 0 && <h2 className="settings-title">{t(title)}</h2>}
      {isReadOnly && <InlineNote>{t('Only the super administrator may change these settings.')}</InlineNote>}
      <div className="settings-cards">
        {cards.map((card) => (
          <SettingsCard key={card.card} card={card} isReadOnly={isReadOnly} isPart={others.length > 0} />
        ))}
      </div>
      {savesHere && (
        <div className="settings-foot">
          {changed.length > 0 && (
            <Button type="tertiary" onClick={() => form.takeBack(changed)}>
              {t('Discard')}
            </Button>
          )}
          <Button theme="solid" loading={busy} onClick={() => void save(keys)}>
            {t('Save {name}', { name: toSentenceCase(t(title)) })}
          </Button>
        </div>
      )}
    </div>
  )
}
