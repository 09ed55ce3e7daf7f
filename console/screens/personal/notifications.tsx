// Warnings of a low balance, and whether models without a price may be called: two tabs, saved together.
import { useState } from 'react'
import type { ShownUser, UserSetting } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { AmountField } from '../../parts/amount-field.tsx'
import { CodeBlock } from '../../parts/code-block.tsx'
import { DeclaredField, useFields } from '../../parts/declared-fields.tsx'
import { Field } from '../../parts/field.tsx'
import { RadioRow } from '../../parts/radio-row.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Button } from '../../semi.ts'
import { settingForm } from './form.built.ts'
import {
  blankSetting,
  findSettingErrors,
  Section,
  type SettingDraft,
  THRESHOLDS,
  type WrongSetting,
} from './layout.tsx'
import { words } from './texts.ts'

// The recipient of warnings, and the balance below which they are sent.

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

interface Props {
  user: ShownUser
  onChanged(): void
}

export function Notifications(props: Props) {
  const t = useTexts(words)
  return (
    <Section id="notifications" title={t.notifications}>
      <Setting {...props} />
    </Section>
  )
}

function Setting({ user, onChanged }: Props) {
  const t = useTexts(words)
  const [{ tab }, setTab] = useUrlState({ tab: 'notification' })
  const [stored, setStored] = useState(() => toDraft(user))
  const [draft, setDraft] = useState(stored)
  const [isSubmitted, setSubmitted] = useState(false)
  const set = (change: Partial<SettingDraft>) => setDraft((old) => ({ ...old, ...change }))
  const wrong = findSettingErrors(draft, t)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(stored)

  /** Resolves to false if a value is invalid, which is shown at its field. */
  const saveDraft = async (): Promise<boolean> => {
    setSubmitted(true)
    if (Object.keys(wrong).length > 0) {
      setTab({ tab: 'notification' })
      return false
    }
    await client.users.setting(draft)
    // The secret can be written but not read.
    const now = { ...draft, webhook_secret: '' }
    setStored(now)
    setDraft(now)
    notify.success(t.settingSaved)
    onChanged()
    return true
  }
  const [save, saving] = useAction(async () => void (await saveDraft()))
  const [test, testing] = useAction(async () => {
    if (isChanged && !(await saveDraft())) return
    await client.users.testNotice()
    notify.success(t.testSent)
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Tabs
        label={t.notifications}
        value={tab}
        onChange={(value) => setTab({ tab: value })}
        tabs={[
          { value: 'notification', label: t.notificationTab },
          { value: 'price', label: t.priceTab },
        ]}
      >
        <div className="personal-form">
          {tab === 'price' ? (
            <DeclaredField
              form={settingForm}
              name="accept_unset_model_ratio_model"
              draft={draft}
              set={set}
              hint={t.acceptHint}
            />
          ) : (
            <NotificationTab draft={draft} set={set} wrong={isSubmitted ? wrong : {}} />
          )}
        </div>
      </Tabs>
      <div className="personal-acts">
        <Button htmlType="submit" theme="solid" loading={saving}>
          {t.saveSettings}
        </Button>
        {tab !== 'price' && (
          <Button loading={testing} onClick={() => void test()}>
            {isChanged ? t.saveAndTest : t.sendTest}
          </Button>
        )}
      </div>
    </form>
  )
}

function toDraft({ setting }: ShownUser): SettingDraft {
  const parsed = setting === '' ? {} : (JSON.parse(setting) as UserSetting)
  const { language: _language, ...known } = parsed
  return { ...blankSetting, ...known, webhook_secret: '' }
}
