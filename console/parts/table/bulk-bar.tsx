// The actions on the selected rows.
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { Button } from '../../semi.ts'
import type { Selection } from './column.ts'
import { words } from './texts.ts'

export function BulkBar({ selection }: { selection: Selection }) {
  const t = useTexts(words)
  return (
    <div className="bulk-bar" role="region" aria-label={t.bulk}>
      <strong>{fillPhrase(t.selected, { n: selection.keys.length })}</strong>
      {selection.actions.map(({ key, label, run, danger, disabled, icon }) => (
        <Button
          key={key}
          size="small"
          type={danger ? 'danger' : 'primary'}
          disabled={disabled !== undefined}
          icon={icon}
          onClick={run}
        >
          {label}
        </Button>
      ))}
      <Button size="small" theme="borderless" type="tertiary" onClick={() => selection.select([])}>
        {t.clearSelection}
      </Button>
    </div>
  )
}
