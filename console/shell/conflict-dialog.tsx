// Chooses between two concurrent edits, field by field: the stored values and the user's own.
import type { EditConflict, ConflictChoice } from '../data/conflict.ts'
import { type DisplayFormat } from '../data/format.ts'
import { useFormat } from '../data/use-format.ts'
import { useLanguage, useText } from '../data/texts.tsx'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import { Button } from '../semi.ts'
import { conflictFieldNames } from './conflict-fields.built.ts'
import './conflict.css'

interface Props {
  conflict: EditConflict
  end(settled: ConflictChoice): void
}

export function ConflictDialog({ conflict, end }: Props) {
  const t = useText()
  const { language } = useLanguage()
  const format = useFormat()
  const rows = differences(conflict)
  return (
    <ModalDialog
      title={t('Another user has saved this in the meantime')}
      wide
      onClose={() => end(null)}
      foot={
        <>
          <Button type="tertiary" onClick={() => end(null)}>
            {t('Go on editing')}
          </Button>
          <Button onClick={() => end('stored')}>{t('Use their version')}</Button>
          <Button theme="solid" type="danger" onClick={() => end('own')}>
            {t('Overwrite with my version')}
          </Button>
        </>
      }
    >
      <p>{conflict.message}</p>
      {rows.length > 0 ? (
        <table className="differences">
          <thead>
            <tr>
              <th scope="col">{t('Field')}</th>
              <th scope="col">{t('As it is now')}</th>
              <th scope="col">{t('As typed here')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, label, kind, stored, own }) => (
              <tr key={name}>
                <th scope="row">{label[language]}</th>
                <td>{formatValue(stored, kind, format)}</td>
                <td>{formatValue(own, kind, format)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p>
          {conflict.stored
            ? t('Their values are the same as yours.')
            : t('You will see their values once you close this.')}
        </p>
      )}
    </ModalDialog>
  )
}

function differences({ name, own, stored, labels: fields = conflictFieldNames[name] ?? {} }: EditConflict) {
  if (stored === null) return []
  return Object.entries(fields)
    .filter(([field]) => field in own && field in stored && !isSame(own[field], stored[field]))
    .map(([field, declared]) => ({ name: field, ...declared, own: own[field], stored: stored[field] }))
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one ?? '') === JSON.stringify(other ?? '')

function formatValue(value: unknown, kind: string | undefined, format: DisplayFormat): string {
  if (kind === 'quota' && typeof value === 'number') return format.quota(value)
  if (typeof value === 'number') return format.number(value)
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
  return text === '' ? '—' : text
}
