// A preview of the changes: each setting with its value before and after; for a table only the entries that differ.
import { useLanguage, useText } from '../../data/texts.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { Button } from '../../semi.ts'
import { compareSettingTexts, type DifferenceLine, getDeclaredSetting } from './form.ts'
import { useSettingLink } from './use-save.ts'
import { useSettingsForm } from './use-settings.tsx'

export function UnsavedChangesDialog({ onClose, onSave }: { onClose(): void; onSave(): void }) {
  const t = useText()
  const { language } = useLanguage()
  const { changed, takeBack } = useSettingsForm()
  const lead = useSettingLink()
  return (
    <ModalDialog
      title={t('Changes to be saved')}
      wide
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onSave}>
          {t('Save all')}
        </Button>
      }
    >
      <ul className="change-list">
        {changed.map((key) => (
          <li key={key}>
            <div className="change-head">
              <button
                type="button"
                className="change-name"
                onClick={() => {
                  onClose()
                  lead(key)
                }}
              >
                {getDeclaredSetting(key).label[language]}
              </button>
              <code>{key}</code>
              <Button
                size="small"
                theme="borderless"
                aria-label={`${t('Undo')}: ${getDeclaredSetting(key).label[language]}`}
                onClick={() => {
                  if (changed.length === 1) onClose()
                  takeBack([key])
                }}
              >
                {t('Undo')}
              </Button>
            </div>
            <Difference name={key} />
          </li>
        ))}
      </ul>
    </ModalDialog>
  )
}

function Difference({ name }: { name: string }) {
  const t = useText()
  const form = useSettingsForm()
  const { secret, kind, initial } = getDeclaredSetting(name)
  const stored = form.stored(name)
  const draft = form.draftOf(name)
  const lines: readonly DifferenceLine[] = secret
    ? [
        {
          at: '',
          before: stored.set ? t('set') : t('not set'),
          after: draft?.value === null ? t('not set') : t('not shown'),
        },
      ]
    : draft?.value === null && initial === undefined
      ? [{ at: '', before: '…', after: t('the default') }]
      : compareSettingTexts(stored.value, form.textOf(name))
  const formatValue = (text: string | null) => {
    if (text === null || text === '') return t('empty')
    return kind === 'flag' ? (text === 'true' ? t('on', { context: 'value' }) : t('off')) : text
  }
  return (
    <dl className="change-lines">
      {lines.map(({ at, before, after }) => (
        <div key={at}>
          {at !== '' && (
            <dt>
              <code>{at}</code>
            </dt>
          )}
          <dd>
            <del aria-label={`${t('Before')}: ${formatValue(before)}`} className="mono">
              {formatValue(before)}
            </del>
            <span aria-hidden>→</span>
            <ins aria-label={`${t('After')}: ${formatValue(after)}`} className="mono">
              {formatValue(after)}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}
