// Teams: the list, what unfolds of each, and the panels that make and change them.
import { IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { client } from '../../data/client.ts'
import { useSession } from '../../data/session.tsx'
import { useTexts } from '../../data/texts.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { rowsOfPage, usePaging } from '../../data/use-paging.ts'
import { useUrlState } from '../../data/use-url-state.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceTable } from '../../parts/resource-table.tsx'
import { Button, Checkbox } from '../../semi.ts'
import { useTeamColumns } from './columns.tsx'
import { TeamDetails } from './details.tsx'
import { TeamEditor } from './team-editor.tsx'
import { words } from './texts.ts'
import './teams.css'

export function Page() {
  const t = useTexts(words)
  const { isAdmin } = useSession()
  const paging = usePaging()
  const [{ all }, setState] = useUrlState({ all: '' })
  const [adding, setAdding] = useState(false)
  const everybodys = isAdmin && all === 'true'
  const list = useEndpoint(async () => {
    const { page, size } = paging
    return rowsOfPage(
      await client.teams.list({ p: page, page_size: size, ...(everybodys ? { all: 'true' } : {}) }),
      paging,
    )
  }, [paging.page, paging.size, everybodys])
  const columns = useTeamColumns()
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} onClick={() => setAdding(true)}>
      {t.add}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title}>
        {isAdmin && (
          <Checkbox checked={everybodys} onChange={({ target }) => setState({ all: target.checked ? 'true' : '' })}>
            {t.all}
          </Checkbox>
        )}
        {add}
      </PageHead>
      <div className="sheet">
        <ResourceTable
          columns={columns}
          rowKey={({ id }) => id}
          list={list}
          paging={paging}
          empty={{ title: t.empty, action: add }}
          renderDetails={(team) => <TeamDetails team={team} onChanged={list.reload} />}
        />
      </div>
      {adding && <TeamEditor team={null} onClose={() => setAdding(false)} onSaved={list.reload} />}
    </>
  )
}
