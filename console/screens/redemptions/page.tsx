// Redemption codes: search, list, the panel that creates and edits them, and their batches.
import { IconCopy, IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { type RedemptionCode, REDEMPTION_STATUS } from '../../../core/redemptions/redemption.ts'
import { apiClient, quietClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { toPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { useCopy } from '../../parts/text/copy.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import { loadLater } from '../../parts/load-later.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { DataTable } from '../../parts/table/table.tsx'
import { useRemaining } from '../../parts/overlay/undo.ts'
import { Button } from '../../semi.ts'
import { useCodeActions, useCodeColumns } from './columns.tsx'
import { HandOutButtons } from './hand-out-buttons.tsx'
import './redemptions.css'
import { useCodeActs } from './use-code-acts.ts'

// The dialog after codes were created, in which they are handed out.

export function MadeDialog({ codes, onClose }: { codes: readonly RedemptionCode[]; onClose(): void }) {
  const t = useText()
  const format = useFormat()
  const values = { n: codes.length, name: codes[0]?.name ?? '', amount: format.quota(codes[0]?.quota ?? 0) }
  return (
    <ModalDialog
      title={t('download the codes as a text file?')}
      wide
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <p>{t('{n} created, named {name}, each worth {amount}.', values)}</p>
      <HandOutButtons codes={codes} />
      <ul className="made-codes">
        {codes.map(({ id, key }) => (
          <li key={id}>
            <code>{key}</code>
          </li>
        ))}
      </ul>
    </ModalDialog>
  )
}

const CodeDialog = loadLater(async () => (await import('./code-dialog.tsx')).RedemptionCodeDialog)
const CodeEditor = loadLater(async () => (await import('./editor.tsx')).CodeEditor)
const BatchPanel = loadLater(async () => (await import('./batch-panel.tsx')).BatchPanel)

export function Page() {
  const t = useText()
  const paging = usePaging()
  const [{ keyword, sort }, setState] = useUrlState({ keyword: '', sort: '' })
  // The batch opens over the current page of the list.
  const [{ batch, page }, setOver] = useUrlState({ batch: '', page: '1' })
  const [edited, setEdited] = useState<RedemptionCode | 'new' | null>(null)
  const [viewed, setViewed] = useState<RedemptionCode | null>(null)
  const [made, setMade] = useState<RedemptionCode[] | null>(null)
  const [copy, copyDialog] = useCopy()

  const all = usePagedEndpoint(['redemptions.list', keyword, sort], paging, async (listPlace) => {
    const place = { p: listPlace.page, page_size: listPlace.size, ...(sort ? { sort } : {}) }
    const { search, list } = apiClient.redemptions
    return toPageRows(await (keyword ? search({ keyword, ...place }) : list(place)), listPlace)
  })
  const list = useRemaining('redemptions', all)
  const acts = useCodeActs({ list, copy })
  const showBatch = ({ id }: RedemptionCode) => setOver({ batch: String(id), page })
  const columns = useCodeColumns()
  const actions = useCodeActions(acts, { view: setViewed, edit: setEdited, batch: showBatch })
  usePaletteAct('create', () => setEdited('new'))
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} aria-keyshortcuts="n" onClick={() => setEdited('new')}>
      {t('Create codes')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('Redemption codes', { context: 'title' })}>
        <Button icon={<IconCopy aria-hidden />} onClick={() => void acts.copyAll(acts.chosenCodes())}>
          {t('Copy selected codes')}
        </Button>
        {add}
      </PageHead>
      <div className="sheet">
        <FilterBar
          list="redemptions"
          search={{ name: 'keyword', label: t('Keyword'), placeholder: t('Number or name') }}
          filters={[]}
          value={{ keyword }}
          onChange={setState}
        />
        <DataTable
          name="redemptions"
          label={t('Redemption codes', { context: 'title' })}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ id, name }) => `${name} #${id}`}
          list={list}
          paging={paging}
          actions={actions}
          isShaded={({ status }) => status !== REDEMPTION_STATUS.unused}
          renderDetails={(code) => (code.used_user_id > 0 ? <UsedBy code={code} /> : null)}
          selection={{
            keys: acts.chosen,
            select: acts.select,
            actions: [
              { key: 'copy', label: t('Copy selected codes'), run: () => void acts.copyAll(acts.chosenCodes()) },
              {
                key: 'enable',
                label: t('Enable'),
                run: () => void acts.turn(acts.chosenCodes(), REDEMPTION_STATUS.unused),
              },
              {
                key: 'disable',
                label: t('Disable'),
                run: () => void acts.turn(acts.chosenCodes(), REDEMPTION_STATUS.disabled),
              },
              { key: 'delete', label: t('Delete'), danger: true, run: () => void acts.remove(acts.chosenCodes()) },
            ],
          }}
          sort={{ by: sort, change: (by) => setState({ sort: by }) }}
          empty={keyword ? { title: t('No code matches') } : { title: t('No redemption code yet'), action: add }}
        />
      </div>
      {edited && (
        <CodeEditor
          code={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={list.reload}
          onMade={setMade}
        />
      )}
      {made && <MadeDialog codes={made} onClose={() => setMade(null)} />}
      {viewed && <CodeDialog code={viewed} onClose={() => setViewed(null)} />}
      {/^\d+$/.test(batch) && (
        <BatchPanel id={Number(batch)} turn={acts.turn} onClose={() => setOver({ batch: '', page })} />
      )}
      {copyDialog}
    </>
  )
}

/** The user who redeemed it, by name if it can be read. */
function UsedBy({ code: { used_user_id: id } }: { code: RedemptionCode }) {
  const t = useText()
  const { data } = useEndpoint(['users.get', id], () => quietClient.users.get({ id }))
  return <p>{t('Redeemed by {name} (#{id})', { name: data?.username ?? '', id })}</p>
}
