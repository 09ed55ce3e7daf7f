// One card: its settings and the extras next to them. The page around it, or the bar below a search, saves them.
import { Suspense, useState } from 'react'
import { useLanguage, useText } from '../../data/texts.tsx'
import { ManagedNote } from '../../parts/status/managed-note.tsx'
import { useManaged } from '../../data/use-managed.ts'
import { Button } from '../../semi.ts'
import { type DeclaredCard, type DeclaredSetting, getDeclaredSetting, isFound, isSettingShown } from './form.ts'
import { SETTINGS_BY_HOST } from './editors/index.ts'
import { CARD_EXTRAS } from './extras/index.tsx'
import { SettingField } from './setting-field.tsx'
import { useSave } from './use-save.ts'
import { useSettingsForm } from './use-settings.tsx'

interface Props {
  card: DeclaredCard
  /** Shows only settings that contain this text, without extras. */
  query?: string
  /** The user may change none of its settings: values without buttons. */
  isReadOnly?: boolean
  /** It is one of several cards under the heading of a page. */
  isPart?: boolean
}

/** Each setting of these cards has its own save button. */
export const ONE_BY_ONE = ['other.content']

/** A checkbox of the tab System is saved as soon as it is toggled. */
export const isSavedAtOnce = ({ tab }: DeclaredCard, { kind }: DeclaredSetting): boolean =>
  tab === 'system' && kind === 'flag'

export function SettingsCard({ card, query = '', isReadOnly = false, isPart = false }: Props) {
  const t = useText()
  const { language } = useLanguage()
  const form = useSettingsForm()
  const { save, busy } = useSave()
  // A field that was visible when the user began to edit it stays visible while it is edited.
  const [retained, setRetained] = useState<readonly string[]>([])
  const title = card.title[language]
  const extra = query === '' && !isReadOnly ? CARD_EXTRAS[card.card] : undefined
  const shown = card.settings.filter((setting) =>
    query === ''
      ? isSettingShown(setting, form.textOf) || form.changed.includes(setting.key)
      : isFound(card, setting, query) || retained.includes(setting.key),
  )
  const hosted = [...new Set(shown.map(({ key }) => SETTINGS_BY_HOST[key] ?? key))].map(getDeclaredSetting)
  const own = card.settings.map(({ key }) => key)
  const isEach = ONE_BY_ONE.includes(card.card) && !isReadOnly
  // Not requested until something is changed: a reader does not need it.
  const managed = useManaged(form.changed.filter((key) => own.includes(key)).map((key) => `settings ${key}`))
  if (hosted.length === 0 && !extra) return null
  const Heading = isPart ? 'h3' : 'h2'
  return (
    <section
      className="sheet settings-card"
      id={card.card}
      tabIndex={-1}
      aria-labelledby={`${card.card}.title`}
      onInput={() => query !== '' && setRetained(shown.map(({ key }) => key))}
    >
      <Heading id={`${card.card}.title`}>{title}</Heading>
      {managed && <ManagedNote {...managed} />}
      <Suspense>{extra?.first}</Suspense>
      {hosted.map((setting) => (
        <SettingField key={setting.key} setting={setting} atOnce={isSavedAtOnce(card, setting)} isQuiet={isReadOnly}>
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
