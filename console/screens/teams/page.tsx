// Teams: the list, the details of each, and the panels that create and edit them.
import { IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { apiClient } from '../../data/client.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { toPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { useRemaining } from '../../parts/overlay/undo.ts'
import { loadLater } from '../../parts/load-later.ts'
import { Button, Checkbox } from '../../semi.ts'
import { useTeamColumns } from './columns.tsx'
import { OwnInvitations } from './invitations.tsx'
import './teams.css'

const TeamEditor = loadLater(async () => (await import('./team-editor.tsx')).TeamEditor)
const TeamDetails = loadLater(async () => (await import('./details.tsx')).TeamDetails)

export function Page() {
  const t = useText()
  const { isAdmin } = useSignedInUser()
  const paging = usePaging({ above: 180 })
  const [{ all, sort }, setState] = useUrlState({ all: '', sort: '' })
  const [adding, setAdding] = useState(false)
  const everybodys = isAdmin && all === 'true'
  const read = usePagedEndpoint(['teams.list', everybodys, sort], paging, async (listPlace) => {
    const place = { p: listPlace.page, page_size: listPlace.size, ...(sort ? { sort } : {}) }
    return toPageRows(await apiClient.teams.list({ ...place, ...(everybodys ? { all: 'true' } : {}) }), listPlace)
  })
  const list = useRemaining('teams', read)
  const columns = useTeamColumns()
  usePaletteAct('create', () => setAdding(true))
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} aria-keyshortcuts="n" onClick={() => setAdding(true)}>
      {t('Add team', { context: 'list' })}
    </Button>
  )
  return (
    <>
      <PageHead title={t('Teams')}>
        {isAdmin && (
          <Checkbox checked={everybodys} onChange={({ target }) => setState({ all: target.checked ? 'true' : '' })}>
            {t('Teams of all users')}
          </Checkbox>
        )}
        {add}
      </PageHead>
      <OwnInvitations onChanged={list.reload} />
      <div className="sheet">
        <DataTable
          name="teams"
          hasViews
          label={t('Teams')}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          sort={{ by: sort, change: (by) => setState({ sort: by }) }}
          list={list}
          paging={paging}
          empty={{ title: t('No team yet'), action: add }}
          renderDetails={(team) => <TeamDetails team={team} onChanged={list.reload} />}
        />
      </div>
      {adding && <TeamEditor team={null} onClose={() => setAdding(false)} onSaved={list.reload} />}
    </>
  )
}
