// The panel that creates or edits a rule.
import { useState } from 'react'
import type { AlertRuleForm, RuleWithState } from '../../../core/alerts/alert.ts'
import { formatAlertValue } from '../../../core/alerts/message.ts'
import type { AlertKind } from '../../../core/alerts/rule-kinds.ts'
import type { FormFieldControls } from '../../../core/contract/control.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice, showFieldErrors } from '../../data/notify.ts'
import { useLanguage, useText, texts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { useManaged } from '../../data/use-managed.ts'
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { DeclaredField, useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { ManagedNote } from '../../parts/status/managed-note.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { ruleForm, initialAlertRule, ruleKindFields } from './form.built.ts'
import { RulePreview } from './preview.tsx'

const BOUND_TEXTS = texts({ above: 'Alerts above {value}.', below: 'Alerts below {value}.' })

// The channel of a rule, by name; by number if there are too many channels for a list.

const MOST = 100

interface ChannelFieldProps {
  form: FormFieldControls
  /** 0 for all channels. */
  value: number
  onChange(channel: number): void
}

export function ChannelField({ form, value, onChange }: ChannelFieldProps) {
  const t = useText()
  const { label } = useFieldTexts(form)('channel')
  const { data, loading } = useEndpoint(['channels.list', 'of a rule'], () =>
    apiClient.channels.list({ page_size: MOST }),
  )
  const isListed = value === 0 || data?.data.some(({ id }) => id === value)
  // While the names are loading, all channels can be offered already: the field keeps its place and its kind.
  if ((!data && !loading) || (data?.total ?? 0) > MOST || !isListed)
    return (
      <DeclaredField
        name="channel"
        form={form}
        draft={{ channel: value }}
        set={({ channel = 0 }) => onChange(channel)}
      />
    )
  const channels = (data?.data ?? []).map(({ id, name }) => ({ value: String(id), label: `${id} ${name}` }))
  const options = [{ value: '0', label: t('All channels') }, ...channels]
  return (
    <FormField field="channel" label={label}>
      <SegmentedChoice label={label} value={String(value)} options={options} onChange={(id) => onChange(Number(id))} />
    </FormField>
  )
}

interface Props {
  /** null to create a rule. */
  rule: RuleWithState | null
  onClose(): void
  onSaved(): void
}

const TOLD = [
  'root',
  'mails',
  'webhook_url',
  'webhook_format',
  'webhook_secret',
  'language',
  'quiet_minutes',
  'enabled',
] as const

function toDraft(rule: RuleWithState | null): AlertRuleForm {
  if (!rule) return { ...initialAlertRule, name: '' }
  const { id: _, created_time: __, version: ___, has_secret: ____, alerts: _____, unknown: ______, ...fields } = rule
  return fields
}

export function RuleEditor({ rule, onClose, onSaved }: Props) {
  const t = useText()
  const { language } = useLanguage()
  const managed = useManaged(rule ? [`alerts ${rule.name}`] : [])
  const [draft, setDraft] = useState(() => toDraft(rule))
  const set = (change: Partial<AlertRuleForm>) =>
    setDraft((old) => ({
      ...old,
      ...change,
      // The defaults of one kind do not apply to another.
      ...(change.kind && change.kind !== old.kind ? { threshold: ruleKindFields[change.kind as AlertKind].usual } : {}),
    }))
  const [save, busy] = useAction(async () => {
    if (draft.name.trim() === '') return showFieldErrors([{ field: 'name', message: t('enter a name') }])
    if (rule) {
      const { kind: _, ...change } = draft
      await apiClient.alerts.update({ ...change, id: rule.id, version: rule.version })
    } else await apiClient.alerts.create(draft)
    showNotice.success(t('rule saved'))
    onSaved()
    onClose()
  })
  const part = { form: ruleForm, draft, set }
  return (
    <SidePanel
      title={rule ? t('Edit alert rule {name}', { name: rule.name }) : t('New alert rule')}
      side={rule ? 'right' : 'left'}
      busy={busy}
      submit={rule ? t('Save') : t('Add')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {managed && <ManagedNote {...managed} />}
      <DeclaredField name="name" {...part} required />
      {!rule && <DeclaredField name="kind" {...part} />}
      <DeclaredField
        name="threshold"
        {...part}
        hint={t(BOUND_TEXTS[ruleKindFields[draft.kind].bad], {
          value: formatAlertValue(draft.kind, draft.threshold)[language],
        })}
      />
      {ruleKindFields[draft.kind].fields.map((name) =>
        name === 'channel' ? (
          <ChannelField key={name} form={ruleForm} value={draft.channel} onChange={(channel) => set({ channel })} />
        ) : (
          <DeclaredField key={name} name={name} {...part} />
        ),
      )}
      <RulePreview key={JSON.stringify([draft.kind, draft.threshold, draft.minutes, draft.model])} watched={draft} />
      {TOLD.map((name) => (
        <DeclaredField
          key={name}
          name={name}
          {...part}
          placeholder={name === 'webhook_secret' && rule?.has_secret ? t('unchanged') : undefined}
        />
      ))}
    </SidePanel>
  )
}
