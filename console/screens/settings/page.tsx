// Settings: tabs of cards, a search over all of them, and the unsaved changes.
import { lazy, Suspense, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useUrlState } from '../../data/use-paging.ts'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { TabList } from '../../parts/tabs.tsx'
import { useLeaveQuestion } from '../../parts/form/use-leave-question.ts'
import { useAnchor } from '../../parts/use-anchor.ts'
import { useSeen } from '../../parts/use-seen.ts'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import { SettingsCard } from './card.tsx'
import { allSettingCards, getCard, isFound, PRICES_CARD, settingTabTitles } from './form.ts'
import './settings.css'
import { useSave } from './use-save.ts'
import { SettingsProvider, useSettingsForm, useStoredSettings } from './use-settings.tsx'

// The unsaved changes of all tabs: their number, a preview, and buttons to save or discard all of them.

const ChangesDialog = lazy(() =>
  import('./changes-dialog.tsx').then((made) => ({ default: made.UnsavedChangesDialog })),
)

export function ChangesBar() {
  const t = useText()
  const form = useSettingsForm()
  const { save, busy } = useSave()
  const [reviewed, setReviewed] = useState(false)
  const { changed } = form
  if (changed.length === 0) return null
  const discard = async () => {
    if (await askConfirmation({ title: t('Discard all changes?'), body: '', yes: t('Discard') })) form.takeBack(changed)
  }
  return (
    <div className="changes-bar" role="region" aria-label={t('{n} unsaved changes', { n: changed.length })}>
      <span role="status">
        {changed.length === 1 ? t('1 unsaved change') : t('{n} unsaved changes', { n: changed.length })}
      </span>
      <Button theme="borderless" onClick={() => setReviewed(true)}>
        {t('Review')}
      </Button>
      <Button type="tertiary" onClick={() => void discard()}>
        {t('Discard')}
      </Button>
      <Button theme="solid" loading={busy} onClick={() => void save(changed)}>
        {t('Save all')}
      </Button>
      {reviewed && (
        <Suspense>
          <ChangesDialog
            onClose={() => setReviewed(false)}
            onSave={() => {
              setReviewed(false)
              void save(changed)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

export function Page() {
  const read = useStoredSettings()
  return (
    <SettingsProvider read={read}>
      <Settings read={read} />
    </SettingsProvider>
  )
}

const TABS = Object.keys(settingTabTitles)

/** The prices card is loaded when it is scrolled near. A search finds its maps like any other setting. */
const PricesCard = lazy(() =>
  import('./prices/prices-card.tsx').then(({ SellingPricesCard: Card }) => ({ default: Card })),
)

function Settings({ read }: { read: ReturnType<typeof useStoredSettings> }) {
  const t = useText()
  const { language } = useLanguage()
  const [state, setState] = useUrlState({ tab: 'operation', q: '' })
  const { changed } = useSettingsForm()
  const tab = TABS.includes(state.tab) ? state.tab : 'operation'
  const query = state.q.trim()
  useLeaveQuestion(changed.length > 0)
  return (
    <div className="settings">
      <PageHead title={t('System settings')}>
        <Input
          type="search"
          className="settings-search"
          aria-label={t('Search all settings')}
          placeholder={t('Search all settings')}
          value={state.q}
          onChange={(q) => setState({ q })}
        />
      </PageHead>
      {!read.data && read.error ? (
        <EmptyState failed title={t('Refresh failed')} description={read.error}>
          <Button onClick={read.reload}>{t('Retry')}</Button>
        </EmptyState>
      ) : !read.data ? (
        <LoadingIndicator />
      ) : query !== '' ? (
        <Found query={query} clear={() => setState({ q: '' })} />
      ) : (
        <TabList
          label={t('Kinds of settings')}
          value={tab}
          tabs={TABS.map((value) => ({
            value,
            label: (
              <>
                {settingTabTitles[value as keyof typeof settingTabTitles][language]}
                {changed.some((key) => getCard(key).tab === value) && <Unsaved />}
              </>
            ),
          }))}
          onChange={(next) => setState({ tab: next })}
        >
          <TabOfCards tab={tab} />
        </TabList>
      )}
      <ChangesBar />
    </div>
  )
}

/** A mark next to a tab or card with unsaved changes. */
function Unsaved() {
  const t = useText()
  return (
    <>
      <span className="unsaved-mark" aria-hidden />
      <span className="only-heard">, {t('not saved')}</span>
    </>
  )
}

function TabOfCards({ tab }: { tab: string }) {
  const t = useText()
  const { language } = useLanguage()
  const { changed } = useSettingsForm()
  const { search, hash } = useLocation()
  const cards = allSettingCards.filter((card) => card.tab === tab)
  useAnchor(true)
  return (
    <div className="settings-tab">
      {cards.length > 1 && (
        <nav className="settings-anchors" aria-label={t('Cards of this tab')}>
          {cards.map(({ card, title }) => (
            <Link key={card} to={{ search, hash: card }} aria-current={hash === `#${card}` ? 'location' : undefined}>
              {title[language]}
              {changed.some((key) => getCard(key).card === card) && <Unsaved />}
            </Link>
          ))}
        </nav>
      )}
      <div className="settings-cards">
        {cards.map((card) =>
          card.card === PRICES_CARD ? (
            <Prices key={card.card} title={card.title[language]} />
          ) : (
            <SettingsCard key={card.card} card={card} />
          ),
        )}
      </div>
    </div>
  )
}

/** The table of all models is loaded only when it is scrolled near. */
function Prices({ title }: { title: string }) {
  const [place, seen] = useSeen()
  const before = (
    <section
      ref={place}
      id={PRICES_CARD}
      className="sheet settings-prices"
      aria-labelledby={`${PRICES_CARD}.title`}
      tabIndex={-1}
    >
      <h2 id={`${PRICES_CARD}.title`}>{title}</h2>
      {seen && <LoadingIndicator />}
    </section>
  )
  if (!seen) return before
  return (
    <Suspense fallback={before}>
      <PricesCard />
    </Suspense>
  )
}

/** The settings of all tabs that contain a text. */
function Found({ query, clear }: { query: string; clear(): void }) {
  const t = useText()
  const cards = allSettingCards.filter((card) => card.settings.some((setting) => isFound(card, setting, query)))
  const count = cards.reduce((sum, card) => sum + card.settings.filter((one) => isFound(card, one, query)).length, 0)
  if (count === 0)
    return (
      <EmptyState title={t('No setting matches')}>
        <Button onClick={clear}>{t('Clear the search')}</Button>
      </EmptyState>
    )
  return (
    <>
      <p className="muted" role="status">
        {t('{n} found', { n: count })}
      </p>
      <div className="settings-cards">
        {cards.map((card) => (
          <SettingsCard key={card.card} card={card} query={query} />
        ))}
      </div>
    </>
  )
}
