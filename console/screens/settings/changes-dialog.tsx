// A preview of the changes: each setting with its value before and after; for a table only the entries that differ.
import { useLanguage, useText } from '../../data/texts.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Button } from '../../semi.ts'
import { compareTexts, type DifferenceLine, getSetting } from './form.ts'
import { useSettingLink } from './use-save.ts'
import { useSettings } from './use-settings.tsx'

export function ChangesDialog({ onClose, onSave }: { onClose(): void; onSave(): void }) {
  const t = useText()
  const { language } = useLanguage()
  const { changed, takeBack } = useSettings()
  const lead = useSettingLink()
  return (
    <Dialog
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
                {getSetting(key).label[language]}
              </button>
              <code>{key}</code>
              <Button
                size="small"
                theme="borderless"
                aria-label={`${t('Take back')}: ${getSetting(key).label[language]}`}
                onClick={() => {
                  if (changed.length === 1) onClose()
                  takeBack([key])
                }}
              >
                {t('Take back')}
              </Button>
            </div>
            <Difference name={key} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Difference({ name }: { name: string }) {
  const t = useText()
  const form = useSettings()
  const { secret, kind, initial } = getSetting(name)
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
      : compareTexts(stored.value, form.textOf(name))
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
