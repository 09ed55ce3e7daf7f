// All groups in one table: the ratio of each, whether users may choose it and with which description, and how many
// users have it.
import { IconDelete } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { apiClient } from '../../../data/client.ts'
import { showNotice } from '../../../data/notify.ts'
import { useAction, useEndpoint } from '../../../data/use-endpoint.ts'
import { useText } from '../../../data/texts.tsx'
import { askConfirmation } from '../../../parts/overlay/confirm.tsx'
import { Button, Checkbox, Input, InputNumber } from '../../../semi.ts'
import { useSettingsForm } from '../use-settings.tsx'
import type { EditorProps } from './editor.ts'
import { parseJsonTable, formatJsonTable } from './table.ts'

const CHOOSABLE = 'UserUsableGroups'

interface GroupRow {
  name: string
  ratio: number | string
  /** null if only users of the group may use it. */
  note: string | null
}

export function GroupsEditor({ value, disabled, onChange }: EditorProps) {
  const t = useText()
  const form = useSettingsForm()
  const uses = useEndpoint(['groups.table'], () => apiClient.groups.table())
  const usable = form.textOf(CHOOSABLE)
  const [draftRows, setDraftRows] = useState<readonly GroupRow[]>(() => parseRows(value, usable))
  // Rows in progress may lack a name, so they are retained until the value is changed elsewhere.
  const isOwn = ratioText(draftRows) === ratioText(parseRows(value, usable)) && noteText(draftRows, usable) === usable
  const rows = isOwn ? draftRows : parseRows(value, usable)
  const put = (next: readonly GroupRow[]) => {
    setDraftRows(next)
    onChange(ratioText(next))
    form.change(CHOOSABLE, noteText(next, usable))
  }
  const change = (at: number, part: Partial<GroupRow>) =>
    put(rows.map((row, index) => (index === at ? { ...row, ...part } : row)))
  const isStored = (name: string) => Object.hasOwn(parseJsonTable(form.stored('GroupRatio').value), name)
  const findUse = (name: string) => uses.data?.find((row) => row.name === name)

  const [remove] = useAction(async (at: number) => {
    const { name } = rows[at]!
    const rest = rows.filter((_, index) => index !== at)
    if (!isStored(name)) return put(rest)
    const { users = 0, tokens = 0, channels = 0 } = findUse(name) ?? {}
    const isUsed = users + tokens + channels > 0
    const yes = await askConfirmation({
      title: t('Remove the group {name}?', { name }),
      body: isUsed
        ? t(
            '{users} users, {tokens} tokens and {channels} channels have it. Its tokens are refused, and its users continue at a ratio of 1. It is removed from every setting that names it.',
            { users, tokens, channels },
          )
        : t('It is not in use. It is removed from every setting that names it.'),
      yes: t('Remove'),
    })
    if (!yes) return
    await apiClient.groups.remove({ name, in_use: isUsed })
    showNotice.success(t('group {name} removed', { name }))
    // Other changes of the card stay unsaved, on top of the newly stored values.
    form.takeBack(['GroupRatio', CHOOSABLE])
    uses.reload()
    form.reload()
  })

  return (
    <div className="editor">
      <div className="group-rows" role="table" aria-label={t('Group')}>
        <div className="group-row group-heads" role="row">
          <span role="columnheader">{t('Group')}</span>
          <span role="columnheader">{t('Ratio')}</span>
          <span role="columnheader">{t('Users can choose it')}</span>
          <span role="columnheader">
            <span className="only-heard">{t('Remove')}</span>
          </span>
        </div>
        {rows.map(({ name, ratio, note }, at) => {
          const use = findUse(name)
          return (
            <div key={at} className="group-row" role="row">
              <span role="cell">
                {isStored(name) ? (
                  <span className="group-name">{name}</span>
                ) : (
                  <Input
                    aria-label={`${t('Group')} ${at + 1}`}
                    disabled={disabled}
                    value={name}
                    onChange={(text) => change(at, { name: text.trim() })}
                  />
                )}
                {/* Its line is there before the numbers are, so that the rows do not move. */}
                {isStored(name) && (
                  <span className="hint">
                    {use
                      ? t('{users} users, {tokens} tokens, {channels} channels', {
                          users: use.users,
                          tokens: use.tokens,
                          channels: use.channels,
                        })
                      : '…'}
                  </span>
                )}
              </span>
              <span role="cell">
                <InputNumber
                  aria-label={`${t('Ratio')}: ${name || at + 1}`}
                  disabled={disabled}
                  value={ratio}
                  onChange={(typed) => change(at, { ratio: typed })}
                />
              </span>
              <span role="cell" className="group-choice">
                <Checkbox
                  aria-label={`${t('Users can choose it')}: ${name || at + 1}`}
                  disabled={disabled}
                  checked={note !== null}
                  onChange={({ target }) => change(at, { note: target.checked ? name : null })}
                />
                {note !== null && (
                  <Input
                    aria-label={`${t('Description for users')}: ${name || at + 1}`}
                    placeholder={t('Description for users')}
                    disabled={disabled}
                    value={note}
                    onChange={(text) => change(at, { note: text })}
                  />
                )}
              </span>
              <span role="cell">
                <Button
                  theme="borderless"
                  type="tertiary"
                  disabled={disabled}
                  icon={<IconDelete aria-hidden />}
                  aria-label={t('Remove {name}', { name: name || String(at + 1) })}
                  onClick={() => void remove(at)}
                />
              </span>
            </div>
          )
        })}
      </div>
      <div className="field-row">
        <Button
          size="small"
          type="tertiary"
          disabled={disabled}
          onClick={() => setDraftRows([...rows, { name: '', ratio: 1, note: null }])}
        >
          {t('Add group')}
        </Button>
      </div>
    </div>
  )
}

const parseRows = (ratios: string, usable: string): GroupRow[] => {
  const notes = parseJsonTable<string>(usable)
  return Object.entries(parseJsonTable<number>(ratios)).map(([name, ratio]) => ({
    name,
    ratio,
    note: notes[name] ?? null,
  }))
}

/** A ratio that is not a number yet is kept as text, so that its error names the group. */
const ratioText = (rows: readonly GroupRow[]) =>
  formatJsonTable(Object.fromEntries(filterNamed(rows).map(({ name, ratio }) => [name, parseNumber(ratio)])))

/** Groups that users may choose and that have no ratio are retained. */
const noteText = (rows: readonly GroupRow[], before: string) => {
  const names = new Set(rows.map(({ name }) => name))
  const others = Object.entries(parseJsonTable<string>(before)).filter(([name]) => !names.has(name))
  const described = filterNamed(rows).flatMap(({ name, note }) => (note === null ? [] : [[name, note] as const]))
  return formatJsonTable(Object.fromEntries([...described, ...others]))
}

const filterNamed = (rows: readonly GroupRow[]) => rows.filter(({ name }) => name !== '')
const parseNumber = (typed: number | string) =>
  typed === '' || !Number.isFinite(Number(typed)) ? String(typed) : Number(typed)
