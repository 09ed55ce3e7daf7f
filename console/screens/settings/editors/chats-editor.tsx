// Chat front ends: a name and a link each, in the order of the menu, with a preview of each link.
import { IconArrowUp, IconDelete } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { useServerAddress } from '../../../data/status.ts'
import { useText } from '../../../data/texts.tsx'
import { Button, Input } from '../../../semi.ts'
import type { EditorProps } from './editor.ts'
import { formatJsonTable } from './table.ts'

type ChatRow = readonly [label: string, link: string]

/** A placeholder for the key of the user who follows the link. */
const SAMPLE_KEY = 'sk-…'

export function ChatsEditor({ label, value, disabled, onChange }: EditorProps) {
  const t = useText()
  const address = useServerAddress()
  const [draftRows, setDraftRows] = useState<readonly ChatRow[]>(() => parseRows(value))
  // Rows in progress may lack a name, so they are retained until the value is changed elsewhere.
  const rows = formatRows(draftRows) === formatRows(parseRows(value)) ? draftRows : parseRows(value)
  const put = (next: readonly ChatRow[]) => {
    setDraftRows(next)
    onChange(formatRows(next))
  }
  const change = (at: number, row: ChatRow) => put(rows.map((one, index) => (index === at ? row : one)))
  return (
    <div className="editor">
      {rows.map(([name, link], at) => (
        <div key={at} className="chat-row">
          <Input
            aria-label={`${label}: ${t('Name')} ${at + 1}`}
            placeholder={t('Name')}
            disabled={disabled}
            value={name}
            onChange={(text) => change(at, [text, link])}
          />
          <div>
            <Input
              className="mono"
              aria-label={`${label}: ${t('Link')} ${at + 1}`}
              placeholder={t('Link')}
              disabled={disabled}
              value={link}
              onChange={(text) => change(at, [name, text])}
            />
            {link !== '' && (
              <p className="hint chat-preview">
                {t('Leads to {link}', {
                  link: link.replaceAll('{key}', SAMPLE_KEY).replaceAll('{address}', encodeURIComponent(address)),
                })}
              </p>
            )}
          </div>
          <span className="row-buttons">
            <Button
              theme="borderless"
              type="tertiary"
              disabled={disabled || at === 0}
              icon={<IconArrowUp aria-hidden />}
              aria-label={t('Move {name} up', { name: name || String(at + 1) })}
              onClick={() => put(swapRows(rows, at))}
            />
            <Button
              theme="borderless"
              type="tertiary"
              disabled={disabled}
              icon={<IconDelete aria-hidden />}
              aria-label={t('Remove {name}', { name: name || String(at + 1) })}
              onClick={() => put(rows.filter((_, index) => index !== at))}
            />
          </span>
        </div>
      ))}
      <div className="field-row">
        <Button size="small" type="tertiary" disabled={disabled} onClick={() => setDraftRows([...rows, ['', '']])}>
          {t('Add chat')}
        </Button>
      </div>
    </div>
  )
}

/** An object with several members becomes one row per member. */
function parseRows(text: string): ChatRow[] {
  try {
    return (JSON.parse(text) as Record<string, string>[]).flatMap((entry) => Object.entries(entry))
  } catch {
    return []
  }
}

const formatRows = (rows: readonly ChatRow[]) =>
  formatJsonTable(rows.filter(([name]) => name.trim() !== '').map(([name, link]) => ({ [name.trim()]: link.trim() })))

/** Swaps a row with the one above it. */
const swapRows = (rows: readonly ChatRow[], at: number): ChatRow[] =>
  rows.map((row, index) => (index === at ? rows[at - 1]! : index === at - 1 ? rows[at]! : row))
