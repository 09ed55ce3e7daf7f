// Warnings of a low balance, and whether models without a price may be called: two tabs, saved together.
import { useState } from 'react'
import type { ShownUser, UserSetting } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { useTexts } from '../../data/texts.tsx'
import { useAction } from '../../data/use-endpoint.ts'
import { useUrlState } from '../../data/use-url-state.ts'
import { DeclaredField } from '../../parts/declared-fields.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { Button } from '../../semi.ts'
import { settingForm } from './form.built.ts'
import { NotificationTab } from './notification-tab.tsx'
import { Section } from './section.tsx'
import { blankSetting, findSettingErrors, type SettingDraft } from './setting.ts'
import { words } from './texts.ts'

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
