// Alert rules: their state, and the panel that creates and edits them.
import { IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import type { RuleWithState } from '../../../core/alerts/alert.ts'
import { formatAlertValue } from '../../../core/alerts/message.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice } from '../../data/notify.ts'
import { useLanguage, useText, texts } from '../../data/texts.tsx'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { createSinglePage, useUrlState } from '../../data/use-paging.ts'
import { FilterBar } from '../../parts/filters/filter-bar.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { InlineNote } from '../../parts/status/note.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import type { TableColumn, RowActions } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { deleteWithUndo, runWithUndo, useRemaining } from '../../parts/overlay/undo.ts'
import { loadLater } from '../../parts/load-later.ts'
import { Button } from '../../semi.ts'
import { ruleKindFields } from './form.built.ts'

const RuleEditor = loadLater(async () => (await import('./editor.tsx')).RuleEditor)

const UNSEEN_TEXTS = texts({
  no_usage: 'Usage is not counted: switch the dashboard on in the settings.',
  no_certificate: 'The server address does not begin with https://.',
  no_sample: 'No data yet.',
})

// The columns of the list of rules.

export function useRuleColumns(): TableColumn<RuleWithState>[] {
  const t = useText()
  const { language } = useLanguage()
  const formatRecipients = ({ root, mails, webhook_url }: RuleWithState) =>
    [...(root ? [t('super administrator')] : []), ...(mails ? [mails] : []), ...(webhook_url ? ['webhook'] : [])].join(
      ', ',
    ) || t('no recipients')
  return [
    { key: 'name', title: t('Name'), rank: 1, width: 180, card: 'title', render: ({ name }) => name },
    {
      key: 'state',
      title: t('State'),
      rank: 1,
      width: 100,
      card: 'badge',
      render: (rule) => <RuleState rule={rule} />,
    },
    {
      key: 'what',
      title: t('What'),
      rank: 3,
      width: 160,
      under: ['name'],
      render: ({ kind }) => ruleKindFields[kind].title[language],
    },
    {
      key: 'threshold',
      title: t('Threshold'),
      rank: 1,
      width: 120,
      card: 'number',
      align: 'right',
      render: ({ kind, threshold }) => formatAlertValue(kind, threshold)[language],
    },
    { key: 'tells', title: t('Recipients'), rank: 4, width: 220, under: ['name'], render: formatRecipients },
  ]
}

function RuleState({ rule }: { rule: RuleWithState }) {
  const state = getRuleState(rule)
  return <StateTag color={STATE_COLORS[state]}>{useStateTexts()[state]}</StateTag>
}

const STATE_COLORS = { alert: 'red', quiet: 'green', unknown: 'orange', off: 'grey' } as const
type ShownState = keyof typeof STATE_COLORS

const getRuleState = ({ enabled, alerts, unknown }: RuleWithState): ShownState =>
  !enabled ? 'off' : alerts.length > 0 ? 'alert' : unknown === '' ? 'quiet' : 'unknown'

function useStateTexts(): Record<ShownState, string> {
  const t = useText()
  return { alert: t('alert'), quiet: t('quiet'), unknown: t('unknown'), off: t('off', { context: 'rule' }) }
}

const FILTERS = { keyword: '', kind: '', state: '' }

/** Returns the rules that the filters of the address select, and the bar that sets them. */
function useRuleFilters(rules: readonly RuleWithState[] | undefined) {
  const t = useText()
  const { language } = useLanguage()
  const stateTexts = useStateTexts()
  const [filter, setFilter] = useUrlState(FILTERS)
  const { keyword, kind, state } = filter
  const kinds = Object.entries(ruleKindFields).map(([value, { title }]) => ({ value, label: title[language] }))
  const rows = rules?.filter(
    (rule) =>
      rule.name.toLowerCase().includes(keyword.toLowerCase()) &&
      (kind === '' || rule.kind === kind) &&
      (state === '' || getRuleState(rule) === state),
  )
  const bar = (
    <FilterBar
      list="alerts"
      search={{ name: 'keyword', label: t('Keyword'), placeholder: t('Name') }}
      filters={[
        { name: 'kind', label: t('What'), options: kinds },
        {
          name: 'state',
          label: t('State'),
          options: Object.entries(stateTexts).map(([value, label]) => ({ value, label })),
          areTexts: true,
        },
      ]}
      value={filter}
      onChange={setFilter}
    />
  )
  return { rows, bar, isNarrowed: Object.values(filter).some((value) => value !== '') }
}

export function Page() {
  const t = useText()
  const [edited, setEdited] = useState<RuleWithState | 'new' | null>(null)
  const all = useEndpointWithError(['alerts.list'], async () => {
    const rows = await apiClient.alerts.list()
    return { rows, page: 1, total: rows.length }
  })
  const remaining = useRemaining('alerts', all)
  const { rows, bar, isNarrowed } = useRuleFilters(remaining.data?.rows)
  const list = { ...remaining, data: remaining.data && rows && { ...remaining.data, rows, total: rows.length } }
  const columns = useRuleColumns()
  usePaletteAct('create', () => setEdited('new'))
  const put = async ({ id }: RuleWithState, enabled: boolean) => {
    await apiClient.alerts.update({ id, enabled })
    list.reload()
  }
  const [turn] = useAction(async (rule: RuleWithState) => {
    const { name, enabled } = rule
    await runWithUndo({
      message: enabled
        ? t('{name} disabled', { context: 'rule', name })
        : t('{name} enabled', { context: 'rule', name }),
      act: () => put(rule, !enabled),
      back: () => put(rule, enabled),
    })
  })
  const [test] = useAction(async ({ id }: RuleWithState) => {
    const { told, failure } = await apiClient.alerts.test({ id })
    if (failure === '') showNotice.success(t('sent to {told} recipients', { told }))
    else showNotice.error(t('Not notified yet: {failure}', { failure }))
  })
  const remove = async ({ id, name }: RuleWithState) => {
    if (!(await askConfirmation({ title: t('Delete rule {name} with its alerts?', { name }), undoable: true }))) return
    deleteWithUndo({
      from: 'alerts',
      ids: [id],
      name,
      async act() {
        await apiClient.alerts.delete({ id })
        showNotice.success(t('rule deleted'))
        list.reload()
      },
    })
  }
  const actions = (rule: RuleWithState): RowActions => ({
    verb: { key: 'edit', label: t('Edit'), run: () => setEdited(rule) },
    more: [
      { key: 'test', label: t('Send a test'), run: () => void test(rule) },
      {
        key: 'turn',
        label: rule.enabled ? t('Disable', { context: 'rule' }) : t('Enable'),
        run: () => void turn(rule),
      },
      { key: 'delete', label: t('Delete'), danger: true, divider: true, run: () => void remove(rule) },
    ],
  })
  const add = (
    <Button theme="solid" icon={<IconPlus aria-hidden />} aria-keyshortcuts="n" onClick={() => setEdited('new')}>
      {t('Add rule')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('Alerts')}>{add}</PageHead>
      <div className="sheet">
        {bar}
        <DataTable
          name="alerts"
          label={t('Alerts')}
          columns={columns}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          list={list}
          paging={createSinglePage(list.data?.rows.length ?? 0)}
          actions={actions}
          isShaded={({ enabled }) => !enabled}
          renderDetails={(rule) => <Standing rule={rule} />}
          empty={
            isNarrowed
              ? { title: t('No rule matches') }
              : {
                  title: t('No alert rule yet'),
                  description: t(
                    'A rule notifies people by mail or webhook when calls fail, spend rises, a balance runs out or a disk fills.',
                  ),
                  action: add,
                }
          }
        />
      </div>
      {edited && (
        <RuleEditor rule={edited === 'new' ? null : edited} onClose={() => setEdited(null)} onSaved={list.reload} />
      )}
    </>
  )
}

/** The current state of a rule. */
function Standing({ rule: { kind, alerts, unknown } }: { rule: RuleWithState }) {
  const t = useText()
  const format = useFormat()
  const { language } = useLanguage()
  if (unknown !== '') return <InlineNote warns>{t(UNSEEN_TEXTS[unknown])}</InlineNote>
  if (alerts.length === 0) return null
  return alerts.map(({ id, began_at, value, subject, failure }) => (
    <div key={id}>
      {t('Since {time}: {value}{subject}', {
        time: format.rowTime(began_at),
        value: formatAlertValue(kind, value)[language],
        subject: subject && ` · ${subject}`,
      })}
      {failure !== '' && <p>{t('Not notified yet: {failure}', { failure })}</p>}
    </div>
  ))
}
