// The ways a user signs in, and the open sessions.
import type { User } from '../../../core/users/user.ts'
import { apiClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction } from '../../data/use-endpoint.ts'
import { cutPageRows, usePaging } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { useText } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import type { TableColumn } from '../../parts/table/column.ts'
import { DataTable } from '../../parts/table/table.tsx'
import { RelativeTime } from '../../parts/text/time.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import { Button } from '../../semi.ts'
import { BoundAccounts } from '../users/bound-accounts.tsx'
import { useAuthority } from '../users/use-user-acts.ts'
type UserSession = Awaited<ReturnType<typeof apiClient.users.sessionsOf>>[number]

export function UserAccessSection({ user }: { user: User }) {
  const t = useText()
  const { isMe, mayChange } = useAuthority()
  const paging = usePaging({ above: 575 })
  const { id: user_id, username: name } = user
  const list = usePagedEndpoint(['users.sessionsOf', user_id], paging, async (listPlace) =>
    cutPageRows(await apiClient.users.sessionsOf({ user_id }), listPlace),
  )
  const [end, ending] = useAction(async () => {
    const question = {
      title: t('Sign {name} out everywhere?', { name }),
      body: t('Every browser that is signed in has to sign in again. API tokens keep working.'),
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
        'For users who have lost them: the authenticator app and all passkeys are removed, and every session ends. They can then sign in with the password alone.',
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
          name="user-sessions"
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
        user_agent ? user_agent : <StandaloneWord muted>{t('unknown program')}</StandaloneWord>,
    },
    {
      key: 'address',
      title: t('IP address'),
      rank: 4,
      width: 130,
      under: ['program'],
      card: 'number',
      render: ({ ip }) => ip,
    },
    {
      key: 'used',
      title: t('Last used'),
      rank: 1,
      width: 120,
      card: 'number',
      render: ({ used_time }) => <RelativeTime seconds={used_time} />,
    },
    {
      key: 'begun',
      title: t('Signed in'),
      rank: 3,
      width: 120,
      under: ['used'],
      render: ({ created_time }) => <RelativeTime seconds={created_time} />,
    },
    {
      key: 'expires',
      title: t('Expires'),
      rank: 4,
      width: 120,
      under: ['used'],
      render: ({ expires_time }) => <RelativeTime seconds={expires_time} />,
    },
  ]
}
