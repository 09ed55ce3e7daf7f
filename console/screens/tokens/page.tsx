// API tokens: search, list, and the panel that makes and changes them.
import { IconCopy, IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { fullKey, type Token } from '../../../core/tokens/token.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { rowsOfPage, usePaging } from '../../data/use-paging.ts'
import { useUrlState } from '../../data/use-url-state.ts'
import { useCopy } from '../../parts/copy.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceTable } from '../../parts/resource-table.tsx'
import { SearchBar } from '../../parts/search-bar.tsx'
import { Banner, Button } from '../../semi.ts'
import { useTokenColumns } from './columns.tsx'
import { TokenEditor } from './editor.tsx'
import { words } from './texts.ts'
import './tokens.css'

type Key = string | number

export function Page() {
  const t = useTexts(words)
  const paging = usePaging()
  const [search, setSearch] = useUrlState({ keyword: '', token: '' })
  const [edited, setEdited] = useState<Token | 'new' | null>(null)
  const [chosen, setChosen] = useState<Key[]>([])
  const [copy, copyDialog] = useCopy()
  const searching = search.keyword !== '' || search.token !== ''

  const list = useEndpoint(async () => {
    const place = { p: paging.page - 1, size: paging.size }
    const { data, total } = await (searching
      ? client.tokens.search({ ...search, ...place })
      : client.tokens.list(place))
    return rowsOfPage({ items: data, total }, paging)
  }, [paging.page, paging.size, search])

  const [toggle] = useAction(async (token: Token) => {
    const status = token.status === 1 ? 2 : 1
    const changed = await client.tokens.update({ status_only: 'true', id: token.id, status })
    notify.success(t.done)
    list.change((data) => ({
      ...data,
      rows: data.rows.map((row) => (row.id === token.id ? { ...row, status: changed.status } : row)),
    }))
  })
  const [remove] = useAction(async (token: Token) => {
    await client.tokens.delete({ id: token.id })
    notify.success(t.deleted)
    setChosen((old) => old.filter((key) => String(key) !== String(token.id)))
    list.reload()
  })
  // A list has of each key its ends alone.
  const keyOf = async ({ id }: Token) => fullKey((await client.tokens.get({ id })).key)
  const [copyChosen] = useAction(async () => {
    const tokens = (list.data?.rows ?? []).filter(({ id }) => chosen.map(String).includes(String(id)))
    if (tokens.length === 0) return notify.error(t.selectOne)
    const lines = await Promise.all(tokens.map(async (token) => `${token.name}    ${await keyOf(token)}`))
    await copy(lines.join('\n'), tokens.map(({ name }) => name).join(', '))
  })

  const columns = useTokenColumns({ copy, keyOf, toggle, remove, edit: setEdited })
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} onClick={() => setEdited('new')}>
      {t.add}
    </Button>
  )
  return (
    <>
      <PageHead title={t.title}>
        <Button icon={<IconCopy aria-hidden />} onClick={() => void copyChosen()}>
          {t.copySelected}
        </Button>
        {add}
      </PageHead>
      <Banner className="page-banner" fullMode={false} type="warning" closeIcon={null} description={t.banner} />
      <div className="sheet">
        <SearchBar
          fields={[
            { name: 'keyword', label: t.keyword, placeholder: t.keywordHint },
            { name: 'token', label: t.key },
          ]}
          value={search}
          busy={list.loading && list.data !== undefined}
          onSearch={setSearch}
        />
        <ResourceTable
          columns={columns}
          rowKey={({ id }) => id}
          list={list}
          paging={paging}
          isShaded={({ status }) => status !== 1}
          selection={{ keys: chosen, select: setChosen }}
          empty={searching ? { title: t.notFound } : { title: t.empty, action: add }}
        />
      </div>
      {edited && (
        <TokenEditor token={edited === 'new' ? null : edited} onClose={() => setEdited(null)} onSaved={list.reload} />
      )}
      {copyDialog}
    </>
  )
}
