// The recipient of warnings, and the balance below which they are sent.
import { useTexts } from '../../data/texts.tsx'
import { AmountField } from '../../parts/amount-field.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { DeclaredField, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { RadioRow } from '../../parts/radio-row.tsx'
import { settingForm } from './form.built.ts'
import { THRESHOLDS, type SettingDraft, type WrongSetting } from './setting.ts'
import { words } from './texts.ts'

interface NotificationTabProps {
  draft: SettingDraft
  set(change: Partial<SettingDraft>): void
  wrong: WrongSetting
}

export function NotificationTab({ draft, set, wrong }: NotificationTabProps) {
  const t = useTexts(words)
  const fields = useFields(settingForm)
  const part = { form: settingForm, draft, set }
  return (
    <>
      <Field field="notify_type" label={fields('notify_type').label}>
        <RadioRow
          label={fields('notify_type').label}
          value={draft.notify_type}
          options={[
            { value: 'email', label: t.byMail },
            { value: 'webhook', label: t.byWebhook },
          ]}
          onChange={(way) => set({ notify_type: way === 'webhook' ? 'webhook' : 'email' })}
        />
      </Field>
      {draft.notify_type === 'webhook' ? (
        <>
          <DeclaredField {...part} name="webhook_url" required hint={t.webhookHint} error={wrong.webhook_url} />
          <DeclaredField {...part} name="webhook_secret" hint={t.secretKept} />
          <details className="sample">
            <summary>{t.sample}</summary>
            <CodeBlock label={t.sample} text={SAMPLE} />
          </details>
        </>
      ) : (
        <DeclaredField {...part} name="notification_email" hint={t.mailHint} error={wrong.notification_email} />
      )}
      <AmountField
        field="quota_warning_threshold"
        label={fields('quota_warning_threshold').label}
        picks={THRESHOLDS}
        value={draft.quota_warning_threshold}
        onChange={(quota_warning_threshold) => set({ quota_warning_threshold })}
      />
      {wrong.quota_warning_threshold && (
        <div className="field-error" role="alert">
          {wrong.quota_warning_threshold}
        </div>
      )}
      <p className="hint">{t.thresholdHint}</p>
    </>
  )
}

/** An example of the message that a receiver gets. */
const SAMPLE = JSON.stringify(
  {
    type: 'quota_exceed',
    title: 'Your quota is running out',
    content: 'Your quota is running out: {{value}} left. To go on, please top up: {{value}}',
    values: ['$0.99', 'https://example.com/topup'],
    timestamp: 1_739_950_503,
  },
  null,
  2,
)
