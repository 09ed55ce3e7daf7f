// Users: search, list, and the panels that add and edit one, which have their own addresses and open over the list.
import { IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import {
  type User,
  USER_ROLE_NAMES,
  USER_STATES,
  USER_STATUS,
  type UserRoleName,
  type UserState,
} from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { usePanelAddress } from '../../data/use-panel-address.ts'
import { type ListPaging, toPageRows, useCursorPaging, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import { loadLater } from '../../parts/load-later.ts'
import { PageHead } from '../../parts/page-head.tsx'
import type { RowActions, RowSelection } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { Button } from '../../semi.ts'
import { useUserColumns } from './columns.tsx'
import { ROLE_TEXTS, STATE_TEXTS } from './standing.tsx'
import { useUserBatch } from './use-bulk.tsx'
import { type UpdateUser, useAuthority, useUserActs } from './use-user-acts.ts'
import './users.css'

const AddPanel = loadLater(async () => (await import('./add-panel.tsx')).AddPanel)
const EditPanel = loadLater(async () => (await import('./edit-panel.tsx')).EditPanel)
const QuotaPanel = loadLater(async () => (await import('./quota-panel.tsx')).QuotaPanel)

interface Search {
  keyword: string
  group: string
  role: string
  status: string
  sort: string
}

export function Page() {
  const t = useText()
  const paging = usePaging()
  const [search, setSearch] = useUrlState({ keyword: '', group: '', role: '', status: '', sort: '' })
  const searching = isSearch(search)
  const list = useUserList(search, paging)
  const groups = useEndpoint(['groups.list'], () => apiClient.groups.list()).data ?? []
  const navigate = useNavigate()
  const panel = usePanelAddress('/user')
  const [charged, setCharged] = useState<User | null>(null)
  const [chosen, setChosen] = useState<readonly User[]>([])
  const { mayChange, mayOpen } = useAuthority()

  const put: UpdateUser = (id, change) =>
    list.change((data) => ({ ...data, rows: data.rows.map((row) => (row.id === id ? { ...row, ...change } : row)) }))
  const acts = useUserActs(put)
  const bulk = useUserBatch({ chosen, groups, put, clear: () => setChosen([]) })
  const selection: RowSelection = {
    keys: chosen.map(({ id }) => id),
    has: (key) => list.data?.rows.some((row) => row.id === key && mayChange(row)) ?? false,
    select(keys) {
      const known = new Map([...chosen, ...(list.data?.rows ?? [])].map((user) => [user.id, user]))
      setChosen(keys.flatMap((key) => known.get(Number(key)) ?? []))
    },
    actions: bulk.actions,
  }
  const actions = (user: User): RowActions => {
    if (!mayOpen(user)) return { more: [] }
    const quota = { key: 'quota', label: t('Add quota'), run: () => setCharged(user) }
    return {
      verb: { key: 'edit', label: t('Edit'), run: () => panel.edit(user) },
      more: [
        { key: 'open', label: t('Open'), run: () => void navigate(`/user/${user.id}`) },
        ...(mayChange(user) ? [quota] : []),
        ...acts(user),
      ],
    }
  }
  const columns = useUserColumns(mayOpen)
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} aria-keyshortcuts="n" onClick={panel.add}>
      {t('Add user')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('Users')}>{add}</PageHead>
      <div className="sheet">
        <FilterBar
          list="users"
          search={{ name: 'keyword', label: t('Keyword'), placeholder: t('ID, username, display name or email') }}
          filters={[
            { name: 'group', label: t('Group'), options: groups.map((value) => ({ value })) },
            {
              name: 'role',
              label: t('Role'),
              options: USER_ROLE_NAMES.map((value) => ({ value, label: t(ROLE_TEXTS[value]) })),
              areTexts: true,
            },
            {
              name: 'status',
              label: t('Status'),
              options: USER_STATES.map((value) => ({ value, label: t(STATE_TEXTS[value]) })),
              areTexts: true,
            },
          ]}
          value={search}
          onChange={setSearch}
        />
        <DataTable
          name="users"
          label={t('Users')}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ username }) => username}
          list={list}
          paging={paging}
          actions={actions}
          selection={selection}
          sort={{ by: search.sort, change: (sort) => setSearch({ sort }) }}
          isShaded={({ status, DeletedAt }) => status !== USER_STATUS.enabled || DeletedAt !== null}
          empty={searching ? { title: t('No user matches') } : { title: t('No user yet'), action: add }}
        />
      </div>
      {panel.shown === 'new' && <AddPanel groups={groups} onClose={panel.close} onSaved={list.reload} />}
      {typeof panel.shown === 'number' && (
        <EditPanel key={panel.shown} id={panel.shown} groups={groups} onClose={panel.close} onSaved={list.reload} />
      )}
      {charged && (
        <QuotaPanel
          user={charged}
          onClose={() => setCharged(null)}
          onSaved={(quota) => put(charged.id, { quota, quota_before: quota } as Partial<User>)}
        />
      )}
      {bulk.dialog}
    </>
  )
}

interface UserFilters {
  keyword: string
  group: string
  role: UserRoleName | ''
  status: UserState | ''
}

const isSearch = ({ keyword, group, role, status }: Search) =>
  [keyword, group, role, status].some((value) => value !== '')

/** Loads the page that the address selects; all filters are combined. */
function useUserList({ sort, ...search }: Search, paging: ListPaging) {
  const { keyword, group } = search
  const mark = JSON.stringify([search, sort])
  // An address may hold any text.
  const input: UserFilters = {
    keyword,
    group,
    role: USER_ROLE_NAMES.find((name) => name === search.role) ?? '',
    status: USER_STATES.find((name) => name === search.status) ?? '',
  }
  const walk = useCursorPaging<UserFilters>(JSON.stringify([mark, paging.size]))
  return usePagedEndpoint(['users.list', mark], paging, async ({ page, size }) => {
    const { cursor } = walk.inputOf(page, input)
    const place = { p: page, page_size: size, ...(sort ? { sort } : {}), ...(cursor ? { cursor } : {}) }
    const answer = await (isSearch({ ...search, sort })
      ? apiClient.users.search({ ...input, ...place })
      : apiClient.users.list(place))
    walk.read(page, input, answer.next_cursor)
    return { ...toPageRows(answer, { page, size }), more: answer.next_cursor !== '' }
  })
}
