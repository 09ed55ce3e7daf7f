// The command palette: pages, acts, and the items that the server finds for the typed text, limited by the role of the
// user. Screens declare their acts in `acts.ts`.
import { IconChevronRight } from '@douyinfe/semi-icons'
import { Command, defaultFilter } from 'cmdk'
import { useEffect, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import type { SearchResultRow } from '../../core/search/contract.ts'
import { apiClient, RequestFailure } from '../data/client.ts'
import { useSignedInUser } from '../data/session.tsx'
import { getTranslate, useLanguage, useText, texts } from '../data/texts.tsx'
import { useEndpoint } from '../data/use-endpoint.ts'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import type { PaletteAct, ScreenActs, ItemAct, NavigateToPage, HitKind } from '../screens/act.ts'
import { listPaths, type ScreenDeclaration } from '../screens/screen.ts'
import { declaration as own } from './acts.ts'
import { useMenu } from './side-menu.tsx'
import './palette.css'

const KIND_TEXTS = texts({
  user: 'Users',
  channel: 'Channels',
  token: 'API tokens',
  team: 'Teams',
  model: 'Models',
  call: 'Calls',
})

const declared = [
  ...Object.values(import.meta.glob<{ declaration: ScreenActs }>('../screens/*/acts.ts', { eager: true })),
  { declaration: own },
].map(({ declaration }) => declaration)
const allActs = declared.flatMap(({ acts }) => acts)
const opens = Object.assign({}, ...declared.map(({ opens = {} }) => opens)) as NonNullable<ScreenActs['opens']>

/** Minimum score of a result, as cmdk computes it. */
const LEAST = 0.02
/** Results of the server match under any label; they rank below labels that match. */
const FOUND = 'found'
const rankEntry = (_value: string, typed: string, names: string[] = []) => {
  if (names.includes(FOUND)) return 0.3
  const rank = defaultFilter!(names.join(' '), typed, [])
  return rank < LEAST ? 0 : rank
}
/** Pause in typing before the server is asked, in ms. */
const PAUSE = 150

export function CommandPalette({ screens, onClose }: { screens: ScreenDeclaration[]; onClose(): void }) {
  const t = useText()
  const { language } = useLanguage()
  const { user, isAdmin } = useSignedInUser()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [act, setAct] = useState<ItemAct | null>(null)
  const found = useFound(typed, user !== null)
  const pages = useMenu(screens).flatMap(({ entries }) => entries)
  const go: NavigateToPage = (path, act) => void navigate(path, { state: act ? { act } : null })
  const finish = (work: () => void | Promise<void>) => {
    onClose()
    Promise.resolve(work()).catch((error: unknown) => {
      if (!(error instanceof RequestFailure)) throw error
    })
  }
  const take = (chosen: PaletteAct) => {
    if (!chosen.about) return finish(() => chosen.run(go))
    setTyped('')
    setAct(chosen)
  }
  const takeHit = (hit: SearchResultRow) =>
    finish(() => (act ? act.run(go, hit) : go(opens[hit.kind]?.(hit, isAdmin) ?? '/')))
  const allowed = allActs.filter(
    ({ access }) => access === 'public' || (access === 'user' && user !== null) || (access === 'admin' && isAdmin),
  )
  const hits = found.hits.filter(({ kind }) => (act ? kind === act.about : opens[kind] !== undefined))
  return (
    <ModalDialog title={t('Find or do')} headless onClose={onClose}>
      <Command
        className="palette"
        label={t('Find or do')}
        filter={rankEntry}
        loop
        onKeyDown={(event) => {
          if (act && event.key === 'Backspace' && typed === '') setAct(null)
        }}
      >
        <div className="palette-field">
          {act && <span className="chip">{act.title(t, language).replace('…', '')}</span>}
          <Command.Input
            aria-label={
              act ? t('Choose one ({kind})', { kind: t(KIND_TEXTS[act.about], { context: 'kind' }) }) : t('Find or do')
            }
            placeholder={
              act
                ? t('Choose one ({kind})', { kind: t(KIND_TEXTS[act.about], { context: 'kind' }) })
                : t('Find a channel, token, user, model or request id, or type what to do')
            }
            value={typed}
            onValueChange={setTyped}
          />
        </div>
        <Command.List label={t('Find or do')} className="palette-list">
          <Command.Empty className="palette-note">
            {found.waiting
              ? t('Searching…')
              : typed === ''
                ? t('Choose one ({kind})', { kind: t(KIND_TEXTS[act?.about ?? 'channel'], { context: 'kind' }) })
                : t('Nothing found')}
          </Command.Empty>
          {!act && (
            <>
              <Command.Group heading={t('Pages')}>
                {pages.map((screen) => (
                  <Item
                    key={listPaths(screen)[0]}
                    id={`page ${listPaths(screen)[0]}`}
                    names={[...new Set([screen.title, t(screen.title)])]}
                    title={t(screen.title)}
                    icon={<screen.icon />}
                    take={() => finish(() => go(listPaths(screen)[0]!))}
                  />
                ))}
              </Command.Group>
              <Command.Group heading={t('Actions')}>
                {allowed.map((one) => (
                  <Item
                    key={one.key}
                    id={one.key}
                    names={[...new Set([one.title(getTranslate('en'), 'en'), one.title(t, language)])]}
                    title={one.title(t, language)}
                    icon={<IconChevronRight />}
                    take={() => take(one)}
                  />
                ))}
              </Command.Group>
            </>
          )}
          {KINDS.map((kind) => ({ kind, those: hits.filter((hit) => hit.kind === kind) }))
            .filter(({ those }) => those.length > 0)
            .map(({ kind, those }) => (
              <Command.Group key={kind} heading={t(KIND_TEXTS[kind], { context: 'kind' })}>
                {those.map((hit) => (
                  <Item
                    key={hit.id}
                    id={`${kind} ${hit.id}`}
                    names={[FOUND]}
                    title={hit.name || hit.id}
                    line={hit.line}
                    take={() => takeHit(hit)}
                  />
                ))}
              </Command.Group>
            ))}
        </Command.List>
      </Command>
    </ModalDialog>
  )
}

const KINDS: readonly HitKind[] = ['channel', 'token', 'user', 'team', 'model', 'call']

interface ItemProps {
  id: string
  /** The texts that it is searched by. */
  names: string[]
  title: string
  line?: string
  icon?: ReactNode
  take(): void
}

const Item = ({ id, names, title, line, icon, take }: ItemProps) => (
  <Command.Item value={id} keywords={names} className="palette-item" onSelect={take}>
    {icon && (
      <span className="palette-icon" aria-hidden="true">
        {icon}
      </span>
    )}
    <span className="palette-title">{title}</span>
    {line && <small>{line}</small>}
  </Command.Item>
)

/** The results of the server, requested after a pause in typing. */
function useFound(typed: string, signedIn: boolean) {
  const text = typed.trim()
  const [query, setQuery] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const { data, loading } = useEndpoint(['search.find', query], async () =>
    query === '' || !signedIn ? [] : apiClient.search.find({ text: query }),
  )
  return { hits: text === '' ? [] : (data ?? []), waiting: text !== '' && signedIn && (loading || query !== text) }
}
