// The ways a user signs in, and the open sessions.
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { cutPageRows, usePaging } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { Button } from '../../semi.ts'
import { BoundAccounts } from '../users/bound-accounts.tsx'
import { useAuthority } from '../users/use-user-acts.ts'
type UserSession = Awaited<ReturnType<typeof apiClient.users.sessionsOf>>[number]

export function UserAccessSection({ user }: { user: User }) {
  const t = useText()
  const { isMe, mayChange } = useAuthority()
  const paging = usePaging()
  const { id: user_id, username: name } = user
  const list = useEndpointWithError(['users.sessionsOf', user_id, paging.page, paging.size], async () =>
    cutPageRows(await apiClient.users.sessionsOf({ user_id }), paging),
  )
  const [end, ending] = useAction(async () => {
    const question = {
      title: t('Sign {name} out everywhere?', { name }),
      body: t('Every browser that is signed in has to sign in again. API tokens go on.'),
      yes: t('Sign out everywhere'),
    }
    if (!(await askConfirmation(question))) return
    await apiClient.users.endSessionsOf({ user_id })
    showNotice.success(t('every session ended'))
    list.reload()
  })
  const [removeProofs, removing] = useAction(async () => {
    const question = {
      title: t('Remove the second factors of {name}?', { name }),
      body: t(
        'For who has lost them: the authenticator app and all passkeys go, and every session ends. They sign in with the password alone.',
      ),
      yes: t('Remove second factors'),
    }
    if (!(await askConfirmation(question))) return
    await apiClient.users.removeProofs({ id: user_id })
    showNotice.success(t('second factors removed'))
    list.reload()
  })
  return (
    <div className="user-access">
      <BoundAccounts user={user} />
      <section className="panel-part">
        <h2>{t('Sessions')}</h2>
        <DataTable
          label={t('Sessions')}
          columns={useColumns()}
          rowKey={({ id }) => id}
          rowName={({ user_agent, ip }) => user_agent || ip}
          list={list}
          paging={paging}
          empty={{ title: t('Signed in nowhere') }}
        />
        {mayChange(user) && !isMe(user) && (
          <div className="field-row">
            <Button loading={ending} disabled={(list.data?.total ?? 0) === 0} onClick={() => void end()}>
              {t('Sign out everywhere')}
            </Button>
            <Button type="danger" loading={removing} onClick={() => void removeProofs()}>
              {t('Remove second factors')}
            </Button>
          </div>
        )}
      </section>
    </div>
  )
}

function useColumns(): TableColumn<UserSession>[] {
  const t = useText()
  return [
    {
      key: 'program',
      title: t('Program'),
      rank: 1,
      width: 300,
      card: 'title',
      render: ({ user_agent }) =>
        user_agent ? (
          <span className="user-program">{user_agent}</span>
        ) : (
          <span className="muted">{t('unknown program')}</span>
        ),
    },
    { key: 'address', title: t('IP address'), rank: 1, width: 130, render: ({ ip }) => ip },
    {
      key: 'used',
      title: t('Last used'),
      rank: 1,
      width: 120,
      render: ({ used_time }) => <RelativeTime seconds={used_time} />,
    },
    {
      key: 'begun',
      title: t('Signed in'),
      rank: 2,
      width: 120,
      render: ({ created_time }) => <RelativeTime seconds={created_time} />,
    },
    {
      key: 'expires',
      title: t('Expires'),
      rank: 3,
      width: 120,
      render: ({ expires_time }) => <RelativeTime seconds={expires_time} />,
    },
  ]
}
