// One setting of a card: its control, help, key and default, its last change, and a button that restores the default.
import { Suspense, useState, type ReactNode } from 'react'
import { type Translate, useLanguage, useText } from '../../data/texts.tsx'
import { useFormat } from '../../data/use-format.ts'
import { FormField } from '../../parts/form/field.tsx'
import { StateTag } from '../../parts/text/tags.tsx'
import { PhraseWithTime, RelativeTime, WHEN } from '../../parts/text/time.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Checkbox } from '../../semi.ts'
import { type DeclaredSetting, findSettingFault, getDeclaredSetting, isSameText } from './form.ts'
import { SETTING_EDITORS, SETTINGS_BY_HOST } from './editors/index.ts'
import { isQuota, SettingControl } from './entry.tsx'
import { useSave } from './use-save.ts'
import { useSettingsForm } from './use-settings.tsx'

/** Maximum length of a default that is shown, in characters. */
const SHOWN = 48

interface Props {
  setting: DeclaredSetting
  /** The setting is saved as soon as it is toggled. */
  atOnce?: boolean
  /** Hides the tag that names who may change it: the page states it once. */
  isQuiet?: boolean
  /** Rendered below the control. */
  children?: ReactNode
}

export function SettingField({ setting, atOnce, isQuiet, children }: Props) {
  const t = useText()
  const { language } = useLanguage()
  const form = useSettingsForm()
  const { saveNow, busy } = useSave()
  const [left, setLeft] = useState(false)
  const { key, kind, danger, secret } = setting
  const label = setting.label[language]
  const text = form.textOf(key)
  const draft = form.draftOf(key)
  const disabled = !form.mayChange(setting)
  const keys = [key, ...Object.keys(SETTINGS_BY_HOST).filter((other) => SETTINGS_BY_HOST[other] === key)]
  const isChanged = keys.some((one) => form.changed.includes(one))
  const fault = left && isChanged && draft?.value !== null ? findSettingFault(setting, text, t) : undefined
  const refusal = form.refused.find(({ field }) => keys.includes(field))?.message
  const Editor = SETTING_EDITORS[key]
  const change = (value: string) => form.change(key, value)
  const reset = draft?.value === null && !secret
  return (
    <div
      className={`setting setting-${Editor ? 'wide' : kind}${isChanged ? ' setting-changed' : ''}`}
      data-settings={keys.join(' ')}
    >
      <FormField
        field={key}
        label={label}
        error={refusal ?? fault}
        hint={
          <>
            {withCode(setting.help[language])}
            {secret && <span className="setting-secret">{t('sensitive values are never sent to the page')}</span>}
          </>
        }
      >
        <div className="setting-control">
          {reset && setting.initial === undefined ? (
            <p className="muted">{t('It returns to the default when you save.')}</p>
          ) : atOnce && kind === 'flag' ? (
            <Checkbox
              checked={text === 'true'}
              disabled={disabled || busy}
              aria-label={label}
              onChange={({ target }) => void saveNow(key, String(target.checked))}
            />
          ) : Editor ? (
            <Suspense fallback={<LoadingIndicator />}>
              <Editor label={label} value={text} disabled={disabled} onChange={change} />
            </Suspense>
          ) : (
            <SettingControl
              setting={setting}
              label={label}
              disabled={disabled}
              value={secret ? (draft?.value ?? '') : text}
              isSet={form.stored(key).set}
              onChange={change}
              onLeave={() => setLeft(true)}
            />
          )}
          {danger && <p className="setting-danger">{danger[language]}</p>}
          {children}
        </div>
      </FormField>
      {keys.map((one) => (
        <SettingFoot
          key={one}
          setting={getDeclaredSetting(one)}
          isNamed={one !== key}
          atOnce={atOnce}
          disabled={disabled}
          isQuiet={isQuiet}
        />
      ))}
    </div>
  )
}

/** Renders the parts in braces as code. */
const withCode = (help: string): ReactNode[] =>
  help
    .split(/(\{(?:[^{}]|\{[^{}]*\})*\})/)
    .map((part, at) => (part.startsWith('{') ? <code key={at}>{part}</code> : part))

interface FootProps {
  setting: DeclaredSetting
  /** The setting is edited within another one, whose label is above. */
  isNamed: boolean
  atOnce?: boolean
  disabled: boolean
  isQuiet?: boolean
}

function SettingFoot({ setting, isNamed, atOnce, disabled, isQuiet }: FootProps) {
  const t = useText()
  const { language } = useLanguage()
  const format = useFormat()
  const form = useSettingsForm()
  const { key, initial, secret } = setting
  const label = setting.label[language]
  const isChanged = form.changed.includes(key)
  const stored = form.stored(key)
  const isDefault = secret ? !stored.set : initial !== undefined && isSameText(setting, form.textOf(key), initial)
  const last = form.lastChange(key)
  return (
    <div className="setting-foot">
      {isNamed && <span>{label}</span>}
      <code>{key}</code>
      {!secret && initial !== undefined && initial.length <= SHOWN && (
        <span>
          {initial === ''
            ? t('Default: empty')
            : t('Default: {value}', {
                value: isQuota(setting) ? format.quota(Number(initial)) : shownDefault(setting, initial, t, language),
              })}
        </span>
      )}
      {last && (
        <PhraseWithTime text={t('Changed by {name} {when}', { ...WHEN, name: last.username || '—' })}>
          <RelativeTime seconds={last.created_at} />
        </PhraseWithTime>
      )}
      {disabled && !isQuiet && <StateTag color="white">{t('Only the super administrator may change this')}</StateTag>}
      {isChanged && !atOnce && (
        <>
          <StateTag color="white">{t('not saved')}</StateTag>
          <Button size="small" theme="borderless" onClick={() => form.takeBack([key])}>
            {t('Undo')}
          </Button>
        </>
      )}
      {!disabled && !isDefault && form.draftOf(key)?.value !== null && (
        <Button
          size="small"
          theme="borderless"
          type="tertiary"
          aria-label={t(secret ? 'Forget {name}' : 'Reset to default: {name}', { name: label })}
          onClick={() => form.change(key, null)}
        >
          {secret ? t('Forget {name}', { name: label }) : t('Reset to default')}
        </Button>
      )}
    </div>
  )
}

function shownDefault(
  { kind, choices, choiceWords }: DeclaredSetting,
  initial: string,
  t: Translate,
  language: 'en' | 'zh',
) {
  if (kind === 'flag') return initial === 'true' ? t('on', { context: 'value' }) : t('off')
  if (kind === 'choice') return choiceWords[choices.indexOf(initial)]?.[language] ?? initial
  return initial.replaceAll('\n', ' ')
}
