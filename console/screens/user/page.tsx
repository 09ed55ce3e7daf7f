// One user: profile, actions, and by tab the spending, tokens, orders, charges and changes.
import { IconChevronDown } from '@douyinfe/semi-icons'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { isRoot, type User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { downloadEndpointFile } from '../../data/download.ts'
import { showNotice } from '../../data/notify.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { usePaletteAct } from '../../data/use-palette-act.ts'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useUrlState } from '../../data/use-paging.ts'
import { useText, texts } from '../../data/texts.tsx'
import { CountText } from '../../parts/text/count.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { type MenuItem, buildMenuAttributes } from '../../parts/overlay/menu.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import { TabList } from '../../parts/tabs.tsx'
import { GroupTags } from '../../parts/text/tags.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { loadLater } from '../../parts/load-later.ts'
import { Button } from '../../semi.ts'
import { InvitationCell } from '../users/columns.tsx'
import { RoleTag, UserStatusTag } from '../users/standing.tsx'
import { useAuthority, useUserActs } from '../users/use-user-acts.ts'
import { UserSpendSection } from './spend.tsx'
import './user.css'

const QuotaPanel = loadLater(async () => (await import('../users/quota-panel.tsx')).QuotaPanel)

const TAB_TEXTS = texts({
  log: 'Log',
  tokens: 'Tokens',
  topups: 'Top-ups',
  spend: 'Spend',
  audit: 'Audit',
  access: 'Sign-in',
  ledger: 'Ledger',
})

// The data protection requests of a user: a copy of all data, and erasure.

export function useDataActs(user: User): MenuItem[] {
  const t = useText()
  const { user: me } = useSignedInUser()
  const navigate = useNavigate()
  const { id, username: name } = user
  const [save] = useAction(() => downloadEndpointFile('privacy', 'export', { user_id: id }, `weir-data-${id}.json`))
  const [forget] = useAction(async () => {
    const question = {
      title: t('Forget {name} for good?', { name }),
      body: t(
        'The account is deregistered. Names, addresses, sign-ins and prompts of tasks are erased at once, log rows within minutes; the ledger keeps its entries by id. Earlier backups still contain the data. This cannot be undone.',
      ),
      yes: t('Forget'),
    }
    if (!(await askConfirmation(question))) return
    await apiClient.privacy.forget({ user_id: id })
    showNotice.success(t('user {id} is forgotten', { id: String(id) }))
    await navigate('/user')
  })
  const mayForget = me !== null && isRoot(me) && !isRoot(user)
  return [
    { key: 'export', label: t('Export data'), divider: true, run: () => void save() },
    ...(mayForget ? [{ key: 'forget', label: t('Forget'), danger: true, run: () => void forget() }] : []),
  ]
}

/** The content of a tab is loaded when it is opened; the first one comes with the page. */
const VIEWS = {
  spend: UserSpendSection,
  tokens: lazy(async () => ({ default: (await import('./tokens.tsx')).UserTokensSection })),
  log: lazy(async () => ({ default: (await import('./log.tsx')).UserLogSection })),
  ledger: lazy(async () => ({ default: (await import('./ledger.tsx')).UserLedgerSection })),
  topups: lazy(async () => ({ default: (await import('./topups.tsx')).TopUps })),
  access: lazy(async () => ({ default: (await import('./access.tsx')).UserAccessSection })),
  audit: lazy(async () => ({ default: (await import('./audit.tsx')).UserAuditSection })),
} as const
type UserView = keyof typeof VIEWS

export function Page() {
  const t = useText()
  const id = Number(useParams()['id'])
  const {
    data: user,
    error,
    loading,
    reload,
    change,
  } = useEndpointWithError(['users.get', id], () => apiClient.users.get({ id }))
  if (error && !loading) {
    return (
      <EmptyState page failed title={t('This user cannot be shown')} description={error}>
        <Link to="/user">{t('All users')}</Link>
      </EmptyState>
    )
  }
  if (!user || user.id !== id) return <LoadingIndicator />
  return <Shown user={user} reload={reload} put={(_, fields) => change((old) => ({ ...old, ...fields }))} />
}

interface ShownProps {
  user: User
  reload(): void
  put(id: number, change: Partial<User>): void
}

function Shown({ user, reload, put }: ShownProps) {
  const t = useText()
  const navigate = useNavigate()
  const { mayChange } = useAuthority()
  const acts = [...useUserActs(put)(user), ...useDataActs(user)]
  const [addsQuota, setAddsQuota] = useState(false)
  const [{ tab }, setTab] = useUrlState({ tab: 'spend' })
  const view: UserView = tab in VIEWS ? (tab as UserView) : 'spend'
  const UserView = VIEWS[view]
  usePaletteAct('quota', () => setAddsQuota(true))
  const names = Object.keys(VIEWS) as UserView[]
  return (
    <>
      <PageHead
        title={user.username}
        extra={
          <span className="tags">
            <RoleTag role={user.role} />
            <UserStatusTag {...user} />
          </span>
        }
      >
        <Button
          type="tertiary"
          icon={<IconChevronDown aria-hidden />}
          iconPosition="right"
          {...buildMenuAttributes(t('More'), () => acts)}
        >
          {t('More')}
        </Button>
        {mayChange(user) && <Button onClick={() => setAddsQuota(true)}>{t('Add quota')}</Button>}
        <Button theme="solid" onClick={() => void navigate(`/user/edit/${user.id}`)}>
          {t('Edit')}
        </Button>
      </PageHead>
      <div className="sheet user-sheet">
        <Facts user={user} />
        {user.DeletedAt === null && (
          <TabList
            label={t('Details of the user')}
            value={view}
            tabs={names.map((value) => ({ value, label: t(TAB_TEXTS[value], { context: 'part' }) }))}
            onChange={(next) => setTab({ tab: next })}
          >
            <div className="user-view">
              <Suspense fallback={<LoadingIndicator />}>
                <UserView key={user.id} user={user} />
              </Suspense>
            </div>
          </TabList>
        )}
      </div>
      {addsQuota && <QuotaPanel user={user} onClose={() => setAddsQuota(false)} onSaved={reload} />}
    </>
  )
}

function Facts({ user }: { user: User }) {
  const t = useText()
  return (
    <dl className="lines">
      <Fact name={t('ID')}>
        <span className="number">{user.id}</span>
      </Fact>
      <Fact name={t('Display name')}>{user.display_name}</Fact>
      <Fact name={t('Balance')}>
        <QuotaText value={user.quota} />
      </Fact>
      <Fact name={t('Used')}>
        <QuotaText value={user.used_quota} />
      </Fact>
      <Fact name={t('Calls')}>
        <CountText value={user.request_count} />
      </Fact>
      <Fact name={t('Group')}>
        <GroupTags groups={user.group.split(',')} />
      </Fact>
      <Fact name={t('Invites')}>
        <InvitationCell user={user} />
      </Fact>
      {user.created_time > 0 && (
        <Fact name={t('Registered')}>
          <RelativeTime seconds={user.created_time} />
        </Fact>
      )}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
