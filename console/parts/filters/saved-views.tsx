// Saved views of a list: the state of its address under a name. This browser stores the own ones, and teams share theirs.
import { IconBookmark } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { MAX_VIEW_QUERY, MAX_VIEWS } from '../../../core/teams/team.ts'
import { showNotice } from '../../data/notify.ts'
import { getListViews, usePreference } from '../../data/preferences.ts'
import { type SharedView, type TeamViews, useTeamViews } from '../../data/team-views.ts'
import { useText } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { Button } from '../../semi.ts'
import { loadLater } from '../load-later.ts'
import { askConfirmation } from '../overlay/confirm.tsx'
import { type MenuItem, openMenu } from '../overlay/menu.tsx'

const ViewDialog = loadLater(async () => (await import('./view-dialog.tsx')).ViewDialog)

interface Props {
  /** Name of the list, under which its views are stored. */
  list: string
  /** Small and without a text, for the foot of a list. */
  small?: boolean
  /** Without a text, beside the search of a phone. */
  isTerse?: boolean
}

export function SavedViews({ list, small, isTerse }: Props) {
  const t = useText()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const storage = getListViews(list)
  const own = usePreference(storage)
  const teams = useTeamViews()
  const [dialog, setDialog] = useState<'save' | SharedView | null>(null)
  const findShared = ({ views }: TeamViews) => views.filter((view) => view.list === list)
  const isHere = ({ query }: { query: string }) => query === search
  const ownHere = Object.entries(own).find(([, query]) => isHere({ query }))?.[0]

  const [remove] = useAction(async (view: SharedView) => {
    const question = {
      title: t('Delete the view {name} of team {team}?', { name: view.name, team: view.team_name }),
      body: t('No member of the team sees it any more.'),
    }
    if (await askConfirmation(question)) await teams.remove(view)
  })

  /** Returns false if there is no room for it. */
  function store(name: string): boolean {
    if (search.length > MAX_VIEW_QUERY || (!Object.hasOwn(own, name) && Object.keys(own).length >= MAX_VIEWS)) {
      showNotice.error(t('a list keeps {n} views: delete one first', { n: MAX_VIEWS }))
      return false
    }
    storage.write({ ...own, [name]: search })
    return true
  }

  async function save(name: string, team: number | null): Promise<void> {
    if (dialog !== 'save' && dialog !== null) await teams.rename(dialog, name)
    else if (team !== null) await teams.share(team, { list, name, query: search })
    else if (!store(name)) return
    setDialog(null)
  }

  function buildItems(latest: TeamViews): MenuItem[] {
    const shared = findShared(latest)
    const open = (query: string) => void navigate(pathname + query)
    const here = shared.find(isHere)
    const manages = here && latest.managed.some(({ id }) => id === here.team_id)
    return [
      ...Object.entries(own).map(([name, query]) => ({
        key: `show ${name}`,
        label: name,
        chosen: name === ownHere,
        run: () => open(query),
      })),
      ...shared.map((view) => ({
        key: `shared ${view.id}`,
        label: (
          <>
            {view.name}
            <small>{t('Team {name}', { name: view.team_name })}</small>
          </>
        ),
        chosen: ownHere === undefined && view === here,
        run: () => open(view.query),
      })),
      ...(here === undefined && (ownHere === undefined || latest.managed.length > 0)
        ? [{ key: 'save', label: t('Save this view'), divider: true, run: () => setDialog('save') }]
        : []),
      ...(ownHere === undefined
        ? []
        : [
            {
              key: 'forget',
              label: t('Delete view {name}', { name: ownHere }),
              divider: true,
              danger: true,
              run: () => storage.write(Object.fromEntries(Object.entries(own).filter(([name]) => name !== ownHere))),
            },
          ]),
      ...(here && manages
        ? [
            {
              key: 'rename',
              label: t("Rename the team's view {name}", { name: here.name }),
              divider: true,
              run: () => setDialog(here),
            },
            {
              key: 'delete',
              label: t("Delete the team's view {name}", { name: here.name }),
              danger: true,
              run: () => void remove(here),
            },
          ]
        : []),
    ]
  }

  const nameHere = ownHere ?? findShared(teams).find(isHere)?.name ?? t('Views')
  const load = () => void teams.load()
  const opening = {
    'aria-haspopup': 'menu' as const,
    onPointerEnter: load,
    onFocus: load,
    onClick({ currentTarget }: { currentTarget: EventTarget }) {
      const button = currentTarget as HTMLElement
      void teams.load().then((latest) => openMenu(button, t('Views'), buildItems(latest)))
    },
  }
  return (
    <>
      {small ? (
        <button type="button" className="plain-button" aria-label={nameHere} data-tip={nameHere} {...opening}>
          <IconBookmark aria-hidden />
        </button>
      ) : (
        <Button
          theme="borderless"
          type="tertiary"
          icon={<IconBookmark aria-hidden />}
          aria-label={nameHere}
          {...opening}
        >
          {isTerse ? undefined : nameHere}
        </Button>
      )}
      {dialog !== null && (
        <ViewDialog
          {...(dialog === 'save'
            ? { title: t('Save this view'), initial: ownHere, teams: teams.managed }
            : { title: t("Rename the team's view {name}", { name: dialog.name }), initial: dialog.name })}
          onSave={save}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  )
}
