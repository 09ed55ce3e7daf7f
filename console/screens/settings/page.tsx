// Settings: tabs of pages, a search over all of them, and the unsaved changes of other pages.
import { useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { loadLater } from '../../parts/load-later.ts'
import { useLanguage, useText } from '../../data/texts.tsx'
import { useUrlState } from '../../data/use-paging.ts'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { TabList } from '../../parts/tabs.tsx'
import { useShownInRow } from '../../parts/use-shown-in-row.ts'
import { useLeaveQuestion } from '../../parts/form/use-leave-question.ts'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import { SettingsCard } from './card.tsx'
import { allSettingCards, getCard, isFound, settingTabTitles } from './form.ts'
import { findSettingsPage, listTabPages, toPageQuery, type SettingsPage as PageDeclaration } from './pages.ts'
import { SettingsPage } from './settings-page.tsx'
import './settings.css'
import { useSave } from './use-save.ts'
import { SettingsProvider, useSettingsForm, useStoredSettings } from './use-settings.tsx'

// The unsaved changes: their number, a preview, and buttons to save or discard all of them. The page that is shown has
// its own button, so the bar appears as soon as there are changes elsewhere.

const ChangesDialog = loadLater(async () => (await import('./changes-dialog.tsx')).UnsavedChangesDialog)

interface ChangesProps {
  /** The settings of the page that is shown. */
  shown: readonly string[]
}

export function ChangesBar({ shown }: ChangesProps) {
  const t = useText()
  const form = useSettingsForm()
  const { save, busy } = useSave()
  const [reviewed, setReviewed] = useState(false)
  const { changed } = form
  if (changed.every((key) => shown.includes(key))) return null
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
        <ChangesDialog
          onClose={() => setReviewed(false)}
          onSave={() => {
            setReviewed(false)
            void save(changed)
          }}
        />
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

function Settings({ read }: { read: ReturnType<typeof useStoredSettings> }) {
  const t = useText()
  const { language } = useLanguage()
  const [state, setState] = useUrlState({ tab: 'operation', page: '', q: '' })
  const { hash } = useLocation()
  const { changed } = useSettingsForm()
  const tab = TABS.includes(state.tab) ? state.tab : 'operation'
  const query = state.q.trim()
  const page = findSettingsPage(tab, state.page, hash)
  const shown = query === '' ? page.cards.flatMap(({ settings }) => settings.map(({ key }) => key)) : []
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
          onChange={(q) => setState({ q, page: state.page })}
        />
      </PageHead>
      {!read.data && read.error ? (
        <EmptyState failed title={t('Refresh failed')} description={read.error}>
          <Button onClick={read.reload}>{t('Retry')}</Button>
        </EmptyState>
      ) : !read.data ? (
        <LoadingIndicator />
      ) : query !== '' ? (
        <Found query={query} clear={() => setState({ q: '', page: state.page })} />
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
          <TabOfPages page={page} />
        </TabList>
      )}
      <ChangesBar shown={shown} />
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

function TabOfPages({ page }: { page: PageDeclaration }) {
  const t = useText()
  const { changed } = useSettingsForm()
  const pages = listTabPages(page.tab)
  const list = useRef<HTMLElement>(null)
  useShownInRow(list, '[aria-current]', page.page)
  const hasChanges = ({ cards }: PageDeclaration) =>
    changed.some((key) => cards.some(({ card }) => card === getCard(key).card))
  return (
    <div className={pages.length > 1 ? 'settings-tab' : 'settings-tab settings-tab-single'}>
      {pages.length > 1 && (
        <nav ref={list} className="settings-anchors" aria-label={t('Pages of this tab')}>
          {pages.map((each) => (
            <Link
              key={each.page}
              to={{ search: toPageQuery(each) }}
              aria-current={each === page ? 'page' : undefined}
              onClick={() => window.scrollTo(0, 0)}
            >
              {t(each.title)}
              {hasChanges(each) && <Unsaved />}
            </Link>
          ))}
        </nav>
      )}
      <SettingsPage key={page.page} page={page} />
    </div>
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
