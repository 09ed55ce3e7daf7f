// Warnings of a low balance, and whether models without a price may be called: two tabs, saved together.
import { useState } from 'react'
import type { ShownUser, UserSetting } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { MoneyField } from '../../parts/form/money-field.tsx'
import { CodeBlock } from '../../parts/text/code-block.tsx'
import { DeclaredField, useFieldTexts } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { RadioRow } from '../../parts/form/radio-row.tsx'
import { TabList } from '../../parts/tabs.tsx'
import { Button } from '../../semi.ts'
import { userSettingForm } from './form.built.ts'
import type { SettingDraft, InvalidSettingField } from './layout.tsx'
import { blankSettingDraft, findSettingErrors, PersonalSection, THRESHOLD_PICKS } from './layout.tsx'
// The recipient of warnings, and the balance below which they are sent.

interface NotificationTabProps {
  draft: SettingDraft
  set(change: Partial<SettingDraft>): void
  wrong: InvalidSettingField
}

export function NotificationTab({ draft, set, wrong }: NotificationTabProps) {
  const t = useText()
  const fields = useFieldTexts(userSettingForm)
  const part = { form: userSettingForm, draft, set }
  return (
    <>
      <FormField field="notify_type" label={fields('notify_type').label}>
        <RadioRow
          label={fields('notify_type').label}
          value={draft.notify_type}
          options={[
            { value: 'email', label: t('Email', { context: 'notice' }) },
            { value: 'webhook', label: t('Webhook') },
          ]}
          onChange={(way) => set({ notify_type: way === 'webhook' ? 'webhook' : 'email' })}
        />
      </FormField>
      {draft.notify_type === 'webhook' ? (
        <>
          <DeclaredField
            {...part}
            name="webhook_url"
            required
            hint={t('Address that warnings are posted to as JSON. It must be https.')}
            error={wrong.webhook_url}
          />
          <DeclaredField
            {...part}
            name="webhook_secret"
            hint={t('Signs the body, and is never sent. Leave it empty to keep the current one.')}
          />
          <details className="sample">
            <summary>{t('Payload sample')}</summary>
            <CodeBlock label={t('Payload sample')} text={SAMPLE} />
          </details>
        </>
      ) : (
        <DeclaredField
          {...part}
          name="notification_email"
          hint={t('leave empty to use the bound email')}
          error={wrong.notification_email}
        />
      )}
      <MoneyField
        min={0}
        field="quota_warning_threshold"
        label={fields('quota_warning_threshold').label}
        picks={THRESHOLD_PICKS}
        value={draft.quota_warning_threshold}
        onChange={(quota_warning_threshold) => set({ quota_warning_threshold })}
        error={wrong.quota_warning_threshold}
        hint={t('a warning is sent when the balance falls below this value')}
      />
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

export function NotificationSections(props: Props) {
  const t = useText()
  return (
    <PersonalSection id="notifications" title={t('Notifications and prices')}>
      <Setting {...props} />
    </PersonalSection>
  )
}

function Setting({ user, onChanged }: Props) {
  const t = useText()
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
    await apiClient.users.setting(draft)
    // The secret can be written but not read.
    const now = { ...draft, webhook_secret: '' }
    setStored(now)
    setDraft(now)
    showNotice.success(t('notification settings updated'))
    onChanged()
    return true
  }
  const [save, saving] = useAction(async () => void (await saveDraft()))
  const [test, testing] = useAction(async () => {
    if (isChanged && !(await saveDraft())) return
    await apiClient.users.testNotice()
    showNotice.success(t('test sent'))
  })
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TabList
        label={t('Notifications and prices')}
        value={tab}
        onChange={(value) => setTab({ tab: value })}
        tabs={[
          { value: 'notification', label: t('Notification') },
          { value: 'price', label: t('Price', { context: 'tab' }) },
        ]}
      >
        <div className="personal-form">
          {tab === 'price' ? (
            <DeclaredField
              form={userSettingForm}
              name="accept_unset_model_ratio_model"
              draft={draft}
              set={set}
              hint={t('accept models without a set price; only if you trust this site, costs may be high')}
            />
          ) : (
            <NotificationTab draft={draft} set={set} wrong={isSubmitted ? wrong : {}} />
          )}
        </div>
      </TabList>
      <div className="personal-acts">
        <Button htmlType="submit" theme="solid" loading={saving}>
          {t('Save settings')}
        </Button>
        {tab !== 'price' && (
          <Button loading={testing} onClick={() => void test()}>
            {isChanged ? t('Save and send a test') : t('Send a test')}
          </Button>
        )}
      </div>
    </form>
  )
}

function toDraft({ setting }: ShownUser): SettingDraft {
  const parsed = setting === '' ? {} : (JSON.parse(setting) as UserSetting)
  const { language: _language, ...known } = parsed
  return { ...blankSettingDraft, ...known, webhook_secret: '' }
}
