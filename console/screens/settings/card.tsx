// One card: its settings, the extras next to them, and a button that saves its changes.
import { Suspense, useState } from 'react'
import { useLanguage, useText } from '../../data/texts.tsx'
import { ManagedNote } from '../../parts/status/managed-note.tsx'
import { useManaged } from '../../data/use-managed.ts'
import { Button } from '../../semi.ts'
import { type DeclaredCard, getDeclaredSetting, isFound, isSettingShown } from './form.ts'
import { SETTINGS_BY_HOST } from './editors/index.ts'
import { CARD_EXTRAS } from './extras/index.tsx'
import { SettingField } from './setting-field.tsx'
import { useSave } from './use-save.ts'
import { useSettingsForm } from './use-settings.tsx'

interface Props {
  card: DeclaredCard
  /** Shows only settings that contain this text, without extras. */
  query?: string
}

/** Each setting of these cards has its own save button. */
const ONE_BY_ONE = ['other.content']

export function SettingsCard({ card, query = '' }: Props) {
  const t = useText()
  const { language } = useLanguage()
  const form = useSettingsForm()
  const { save, busy } = useSave()
  // A field that was visible when the user began to edit it stays visible while it is edited.
  const [retained, setRetained] = useState<readonly string[]>([])
  const title = card.title[language]
  const extra = query === '' ? CARD_EXTRAS[card.card] : undefined
  // A checkbox is saved as soon as it is toggled.
  const isAtOnce = (kind: string) => card.tab === 'system' && kind === 'flag'
  const shown = card.settings.filter((setting) =>
    query === ''
      ? isSettingShown(setting, form.textOf) || form.changed.includes(setting.key)
      : isFound(card, setting, query) || retained.includes(setting.key),
  )
  const hosted = [...new Set(shown.map(({ key }) => SETTINGS_BY_HOST[key] ?? key))].map(getDeclaredSetting)
  const own = card.settings.map(({ key }) => key)
  const isEach = ONE_BY_ONE.includes(card.card)
  const changed = form.changed.filter((key) => own.includes(key))
  // Not requested until something is changed: a reader does not need it.
  const managed = useManaged(changed.map((key) => `settings ${key}`))
  if (hosted.length === 0 && !extra) return null
  return (
    <section
      className="sheet settings-card"
      id={card.card}
      tabIndex={-1}
      aria-labelledby={`${card.card}.title`}
      onKeyDown={(event) => {
        const isMeant = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
        // A dialog over the card, such as a panel, saves its own values.
        if (!isMeant || isEach || (event.target as Element).closest('dialog')) return
        event.preventDefault()
        void save(own)
      }}
      onInput={() => query !== '' && setRetained(shown.map(({ key }) => key))}
    >
      <h2 id={`${card.card}.title`}>{title}</h2>
      {managed && <ManagedNote {...managed} />}
      <Suspense>{extra?.first}</Suspense>
      {hosted.map((setting) => (
        <SettingField key={setting.key} setting={setting} atOnce={isAtOnce(setting.kind)}>
          {extra?.below?.[setting.key]}
          {isEach && (
            <div className="field-row">
              <Button size="small" loading={busy} onClick={() => void save([setting.key])}>
                {t('Set {name}', { name: toSentenceCase(setting.label[language]) })}
              </Button>
            </div>
          )}
        </SettingField>
      ))}
      <Suspense>{extra?.last}</Suspense>
      {!isEach && hosted.some(({ kind }) => !isAtOnce(kind)) && (
        <div className="card-foot">
          {changed.length > 0 && (
            <Button type="tertiary" onClick={() => form.takeBack(changed)}>
              {t('Discard')}
            </Button>
          )}
          <Button theme="solid" loading={busy} onClick={() => void save(own)}>
            {t('Save {name}', { name: toSentenceCase(title) })}
          </Button>
        </div>
      )}
    </section>
  )
}

/**
 * Lowers the first letter for use within a sentence, unless it is a name: `General` becomes lower case, `OIDC` and
 * `GitHub` do not.
 */
export const toSentenceCase = (title: string): string =>
  /^[A-Z][a-z]+(?: |$)/.test(title) && !NAMES.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title

const NAMES = /^(Gemini|Claude|Epay|Stripe|Telegram|Worker|Logo)\b/
