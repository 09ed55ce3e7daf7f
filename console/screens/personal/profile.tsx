// The user's profile: names and group, balance and spending, and the models that may be called.
import { IconCopy } from '@douyinfe/semi-icons'
import { type ReactNode, useState } from 'react'
import { loadLater } from '../../parts/load-later.ts'
import { MAX_DISPLAY_NAME, MAX_USERNAME_LENGTH, type ShownUser } from '../../../core/users/user.ts'
import { toServerAddress } from '../../data/base.ts'
import { apiClient } from '../../data/client.ts'
import { useFormat } from '../../data/use-format.ts'
import { showNotice } from '../../data/notify.ts'
import { storedPreferences, usePreference } from '../../data/preferences.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { text, type TextKey, texts, type Translate, useText } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { UserAvatar } from '../../parts/text/avatar.tsx'
import { copyToClipboard, useCopy } from '../../parts/text/copy.tsx'
import { DeclaredField } from '../../parts/form/declared-fields.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { SidePanel } from '../../parts/overlay/side-panel.tsx'
import { GroupTag, StateTag } from '../../parts/text/tags.tsx'
import { PhraseWithTime, RelativeTime, WHEN } from '../../parts/text/time.tsx'
import { Button, Input } from '../../semi.ts'
import { ownAccountForm } from './form.built.ts'
import { PersonalSection } from './layout.tsx'

// Numbers side by side, each with its label.

export const Facts = ({ children }: { children: ReactNode }) => <dl className="facts">{children}</dl>

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="number">{children}</dd>
  </div>
)

// The panel that changes the user's names.

interface ProfileEditorProps {
  user: ShownUser
  onSaved(): void
  onClose(): void
}

export function ProfileEditor({ user, onSaved, onClose }: ProfileEditorProps) {
  const t = useText()
  const session = useSignedInUser()
  const [draft, setDraft] = useState({ username: user.username, display_name: user.display_name })
  const set = (change: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...change }))
  const [save, busy] = useAction(async () => {
    const names = { username: draft.username.trim(), display_name: draft.display_name.trim() }
    await apiClient.users.updateSelf({ ...names, version: user.version })
    if (session.user) session.begin({ ...session.user, ...names })
    showNotice.success(t('profile saved'))
    onSaved()
    onClose()
  })
  const part = { form: ownAccountForm, draft, set, required: true }
  return (
    <SidePanel
      title={t('Edit profile')}
      side="right"
      busy={busy}
      submit={t('Save')}
      draft={draft}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <DeclaredField {...part} name="username" longest={MAX_USERNAME_LENGTH} />
      <DeclaredField {...part} name="display_name" longest={MAX_DISPLAY_NAME} />
    </SidePanel>
  )
}

interface Props {
  user: ShownUser
  onChanged(): void
}

export function UserProfile({ user, onChanged }: Props) {
  const t = useText()
  const [editing, setEditing] = useState(false)
  return (
    <PersonalSection
      id="profile"
      title={t('Profile')}
      actions={<Button onClick={() => setEditing(true)}>{t('Edit profile')}</Button>}
    >
      <div className="profile-who">
        <UserAvatar name={user.username} />
        <strong>{user.display_name || user.username}</strong>
        {user.display_name !== user.username && <span className="muted">{user.username}</span>}
        <StateTag color="white">{roleName(user.role, t)}</StateTag>
        <span className="muted">ID {user.id}</span>
        <GroupTag group={user.group} />
      </div>
      <Facts>
        <Fact name={t('Balance', { context: 'now' })}>
          <QuotaText value={user.quota} />
        </Fact>
        <Fact name={t('Used', { context: 'history' })}>
          <QuotaText value={user.used_quota} />
        </Fact>
        <Fact name={t('Requests')}>
          <CountText value={user.request_count} />
        </Fact>
      </Facts>
      <Models />
      {editing && <ProfileEditor user={user} onSaved={onChanged} onClose={() => setEditing(false)} />}
    </PersonalSection>
  )
}

const ROLES: Readonly<Record<number, TextKey | undefined>> = texts({
  1: 'common user',
  10: 'admin',
  100: 'super admin',
})
const roleName = (role: number, t: Translate) => t(ROLES[role] ?? text('unknown'), { context: 'role' })

/** Number of models that are shown at first. */
const FIRST_MODELS = 10

function Models() {
  const t = useText()
  const isExpanded = usePreference(storedPreferences.modelsExpanded)
  const { data, loading } = useEndpoint(['users.models'], () => apiClient.users.models())
  const [copy, dialog] = useCopy()
  const models = data ?? []
  const more = models.length - FIRST_MODELS
  return (
    <div className="profile-models" role="group" aria-label={t('Available models')} aria-busy={!data && loading}>
      <h3>{t('Available models')}</h3>
      {(isExpanded ? models : models.slice(0, FIRST_MODELS)).map((model) => (
        <button key={model} type="button" className="tag tag-name model-tag" onClick={() => void copy(model)}>
          {model}
        </button>
      ))}
      {more > 0 && (
        <Button
          size="small"
          theme="borderless"
          aria-expanded={isExpanded}
          onClick={() => storedPreferences.modelsExpanded.write(!isExpanded)}
        >
          {isExpanded ? t('Collapse') : more === 1 ? t('1 more model') : t('{n} more models', { n: more })}
        </Button>
      )}
      {dialog}
    </div>
  )
}

/** @param seconds time of the last use; 0 for never */
export function LastUse({ seconds }: { seconds: number }) {
  const t = useText()
  if (seconds === 0) return <span>{t('Not used yet')}</span>
  return (
    <PhraseWithTime text={t('Last used {when}', WHEN)}>
      <RelativeTime seconds={seconds} />
    </PhraseWithTime>
  )
}

// Invites others: the link, its earnings, and their transfer to the balance.

const TransferPanel = loadLater(async () => (await import('../wallet/transfer-panel.tsx')).TransferPanel)

interface InvitationProps {
  user: ShownUser
  onChanged(): void
}

export function InvitationSection({ user, onChanged }: InvitationProps) {
  const t = useText()
  const format = useFormat()
  const [moving, setMoving] = useState(false)
  return (
    <PersonalSection
      id="invitation"
      title={t('Invitation')}
      lead={t('You earn quota for each person who signs up through your link, and can move it to your balance.')}
      actions={<Button onClick={() => setMoving(true)}>{t('Transfer')}</Button>}
    >
      <Facts>
        <Fact name={t('Pending earnings')}>
          <span className="pending">
            <QuotaText value={user.aff_quota} />
          </span>
        </Fact>
        <Fact name={t('Total earnings')}>
          <QuotaText value={user.aff_history_quota} />
        </Fact>
        <Fact name={t('Invitees')}>{format.number(user.aff_count)}</Fact>
      </Facts>
      <InviteLink code={user.aff_code ?? ''} />
      {moving && <TransferPanel available={user.aff_quota} onDone={onChanged} onClose={() => setMoving(false)} />}
    </PersonalSection>
  )
}

function InviteLink({ code }: { code: string }) {
  const t = useText()
  const [copyByHand, dialog] = useCopy()
  const link = `${window.location.origin}${toServerAddress('/register')}?aff=${encodeURIComponent(code)}`
  const copy = async () => {
    if (await copyToClipboard(link)) showNotice.success(t('invite link copied'))
    else await copyByHand(link)
  }
  return (
    <FormField label={t('Invite link')}>
      <div className="personal-line">
        <Input
          className="mono"
          aria-label={t('Invite link')}
          readonly
          value={link}
          onClick={(event) => {
            event.currentTarget.select()
            void copy()
          }}
        />
        <Button icon={<IconCopy aria-hidden />} aria-label={t('Copy the invite link')} onClick={() => void copy()} />
      </div>
      {dialog}
    </FormField>
  )
}
