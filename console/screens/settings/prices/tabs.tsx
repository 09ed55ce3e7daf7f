// The maps as a table: searchable, edited in place, extensible. Nothing is saved until the changes are applied.
import { IconPlus, IconSearch } from '@douyinfe/semi-icons'
import { type ReactNode, useState } from 'react'
import { isRoot } from '../../../../core/users/user.ts'
import { apiClient, quietClient } from '../../../data/client.ts'
import { showNotice } from '../../../data/notify.ts'
import { useSignedInUser } from '../../../data/session.tsx'
import { useLanguage, useText } from '../../../data/texts.tsx'
import { type LoadedEndpoint, useAction, useEndpointWithError } from '../../../data/use-endpoint.ts'
import { type PageOfRows, usePaging } from '../../../data/use-paging.ts'
import { ConfirmedButton } from '../../../parts/overlay/confirm.tsx'
import { EmptyState } from '../../../parts/status/empty.tsx'
import { FormField } from '../../../parts/form/field.tsx'
import { DataTable } from '../../../parts/table/table.tsx'
import { LoadingIndicator } from '../../../parts/status/waiting.tsx'
import { Button, Input, TextArea } from '../../../semi.ts'
import { toPagedList } from '../../prices/whole-list.ts'
import { BatchDialog } from './batch-dialog.tsx'
import { PRICE_MAP_SETTINGS } from './maps.built.ts'
import { type NamedRow, useRowColumns } from './row-columns.tsx'
import { PriceRowDialog } from './row-dialog.tsx'
import {
  formatMap,
  type MapTexts,
  parseMap,
  parsePriceRows,
  PRICE_ROW_MAPS,
  type RowValue,
  setPriceRows,
} from './maps.ts'
import { type PriceMaps } from './rows.tsx'
// The bar above both tables: search, buttons, and the unsaved changes.

const KEYS: readonly string[] = Object.values(PRICE_ROW_MAPS)

interface SearchProps {
  maps: PriceMaps
  search: string
  setSearch(text: string): void
  /** Number of unsaved rows. */
  waiting: number
  children: ReactNode
}

export function TableHead({ maps, search, setSearch, waiting, children }: SearchProps) {
  const t = useText()
  return (
    <div className="price-head">
      <Input
        prefix={<IconSearch aria-hidden />}
        aria-label={t('Search model name')}
        placeholder={t('Search model name')}
        value={search}
        onChange={setSearch}
      />
      {children}
      <Button theme="solid" loading={maps.busy} onClick={() => void maps.save(KEYS)}>
        {t('Apply changes')}
      </Button>
      {waiting > 0 && (
        <>
          <span role="status">{t('{n} unsaved changes', { context: 'prices', n: waiting })}</span>
          <Button theme="borderless" type="tertiary" onClick={maps.discard}>
            {t('Discard')}
          </Button>
        </>
      )}
    </div>
  )
}

// The rows of both tables: their changes, and one page of the search results.

export function useRows(maps: PriceMaps, rows: ReadonlyMap<string, RowValue>, names: readonly string[]) {
  const [search, setSearch] = useState('')
  const paging = usePaging({ above: 325 })
  const before = parsePriceRows(maps.stored as MapTexts) ?? new Map<string, RowValue>()
  const isChanged = (name: string) => JSON.stringify(before.get(name) ?? {}) !== JSON.stringify(rows.get(name) ?? {})
  const found = names
    .filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()))
    .map((name): NamedRow => ({ name, ...rows.get(name) }))
  const list: LoadedEndpoint<PageOfRows<NamedRow>> = toPagedList(maps.found, found, paging)
  return {
    list,
    paging,
    search,
    isChanged,
    waiting: new Set([...before.keys(), ...rows.keys()].filter(isChanged)).size,
    setSearch(text: string) {
      setSearch(text)
      if (paging.page > 1) paging.show(1)
    },
    putAll: (values: Readonly<Record<string, RowValue | null>>) => maps.change(setPriceRows(maps.texts, values)),
  }
}

interface VisualTabProps {
  maps: PriceMaps
  rows: ReadonlyMap<string, RowValue>
}

export function VisualTab({ maps, rows }: VisualTabProps) {
  const t = useText()
  const shown = useRows(maps, rows, [...rows.keys()].sort())
  const [edited, setEdited] = useState<string | null>(null)
  const put = (name: string, value: RowValue | null) => shown.putAll({ [name]: value })
  const columns = useRowColumns(put)
  return (
    <>
      <TableHead maps={maps} {...shown}>
        <Button icon={<IconPlus aria-hidden />} onClick={() => setEdited('')}>
          {t('Add model')}
        </Button>
      </TableHead>
      <DataTable
        name="price-rows"
        label={t('Visual ratio settings')}
        columns={columns}
        rowKey={({ name }) => name}
        rowName={({ name }) => name}
        list={shown.list}
        paging={shown.paging}
        actions={({ name }) => ({
          verb: { key: 'edit', label: t('Edit'), run: () => setEdited(name) },
          more: [
            {
              key: 'remove',
              label: t('Delete'),
              danger: true,
              run() {
                const before = rows.get(name) ?? null
                put(name, null)
                showNotice.info(t('{name} removed; apply the changes to save this', { name }), {
                  undo: () => put(name, before),
                })
              },
            },
          ],
        })}
        empty={{ title: t('No models') }}
      />
      {edited !== null && (
        <PriceRowDialog
          name={edited}
          value={rows.get(edited) ?? {}}
          isTaken={(name) => rows.has(name)}
          onSave={(name, value) => {
            put(name, value)
            showNotice.success(edited === '' ? t('added') : t('updated'))
            setEdited(null)
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}

// Models that channels serve and that no map contains, to be priced one by one or several at once.

interface UnsetTabProps {
  maps: PriceMaps
  rows: ReadonlyMap<string, RowValue>
}

export function UnsetTab(props: UnsetTabProps) {
  const t = useText()
  const enabled = useEndpointWithError(['channels.modelsEnabled'], () => quietClient.channels.modelsEnabled())
  if (enabled.error) return <EmptyState failed title={t('Failed to get enabled models')} description={enabled.error} />
  return enabled.data ? <Unset enabled={enabled.data} {...props} /> : <LoadingIndicator />
}

function Unset({ maps, rows, enabled }: UnsetTabProps & { enabled: readonly string[] }) {
  const t = useText()
  const before = parsePriceRows(maps.stored as MapTexts) ?? new Map<string, RowValue>()
  const isSet = (row: RowValue | undefined) => row?.price !== undefined || row?.ratio !== undefined
  // Edited models stay in the list until they are saved, and so do added ones.
  const added = [...rows.keys()].filter((name) => !before.has(name))
  const names = [...new Set([...enabled.filter((name) => !isSet(before.get(name))), ...added])].sort()
  const shown = useRows(maps, rows, names)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [open, setOpen] = useState<'batch' | 'add' | null>(null)
  const columns = useRowColumns((name, value) => shown.putAll({ [name]: value }))
  const openBatch = () =>
    chosen.length === 0 ? showNotice.error(t('Please select models to batch-set first')) : setOpen('batch')
  return (
    <>
      <TableHead maps={maps} {...shown}>
        <Button icon={<IconPlus aria-hidden />} onClick={() => setOpen('add')}>
          {t('Add model')}
        </Button>
        <Button onClick={openBatch}>{t('Batch set ({n})', { n: chosen.length })}</Button>
      </TableHead>
      <p className="hint">{t('only models without a price or ratio are listed; they leave the list once set')}</p>
      <DataTable
        name="unset-prices"
        label={t('Models with no ratio set')}
        columns={columns}
        rowKey={({ name }) => name}
        rowName={({ name }) => name}
        list={shown.list}
        paging={shown.paging}
        selection={{
          keys: chosen,
          select: (keys) => setChosen(keys.map(String)),
          actions: [{ key: 'batch', label: t('Set', { context: 'set' }), run: openBatch }],
        }}
        empty={{ title: t('there are no models without a ratio') }}
      />
      {open === 'add' && (
        <PriceRowDialog
          name=""
          value={{}}
          isTaken={(name) => rows.has(name) || names.includes(name)}
          onSave={(name, value) => {
            shown.putAll({ [name]: value })
            showNotice.success(t('added'))
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'batch' && (
        <BatchDialog
          n={chosen.length}
          onSet={(change, type) => {
            shown.putAll(Object.fromEntries(chosen.map((name) => [name, change(rows.get(name) ?? {})])))
            showNotice.success(t('batch set for {n} models: {type}', { n: chosen.length, type }))
            setChosen([])
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

// Each price map as JSON.

export function MapsTab({ maps }: { maps: PriceMaps }) {
  const t = useText()
  const { language } = useLanguage()
  const { user } = useSignedInUser()
  const [reset] = useAction(async () => {
    await apiClient.settings.resetPrices()
    showNotice.success(t('model ratios reset'))
    await maps.reload()
  })
  return (
    <form
      className="price-maps"
      onSubmit={(event) => {
        event.preventDefault()
        void maps.save(PRICE_MAP_SETTINGS.map(({ key }) => key))
      }}
    >
      {PRICE_MAP_SETTINGS.map(({ key, label, help, isRoots }) => (
        <MapField
          key={key}
          field={key}
          label={label[language]}
          help={isRoots && !(user && isRoot(user)) ? t('Only the super administrator may change it') : help[language]}
          disabled={isRoots && !(user && isRoot(user))}
          value={maps.texts[key] ?? ''}
          onChange={(text) => maps.change({ [key]: text })}
        />
      ))}
      <div className="price-foot">
        <ConfirmedButton
          theme="light"
          size="default"
          question={t('Reset the model ratios?')}
          yes={t('Reset model ratios')}
          onConfirm={reset}
        >
          {t('Reset model ratios')}
        </ConfirmedButton>
        <Button htmlType="submit" theme="solid" loading={maps.busy}>
          {t('Save model ratios')}
        </Button>
      </div>
    </form>
  )
}

interface MapsTabProps {
  field: string
  label: string
  help: string
  disabled: boolean
  value: string
  onChange(text: string): void
}

/** Validates the text when the field is left. */
function MapField({ field, label, help, disabled, value, onChange }: MapsTabProps) {
  const t = useText()
  const [left, setLeft] = useState(false)
  const table = parseMap(value)
  const isWrong = left && !table
  return (
    <FormField field={field} label={label} hint={help} error={isWrong ? t('Not a valid JSON string') : undefined}>
      <TextArea
        className="mono"
        aria-label={label}
        rows={6}
        disabled={disabled}
        value={value}
        validateStatus={isWrong ? 'error' : 'default'}
        onChange={onChange}
        onBlur={() => setLeft(true)}
      />
      <div className="field-row">
        <Button
          size="small"
          type="tertiary"
          disabled={disabled || !table}
          onClick={() => table && onChange(formatMap(table))}
        >
          {t('Format')}
        </Button>
      </div>
    </FormField>
  )
}
