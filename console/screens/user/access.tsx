// The ways a user signs in, and the open sessions.
import type { User } from '../../../core/users/user.ts'
import { client } from '../../data/client.ts'
import { notify } from '../../data/notify.ts'
import { fillPhrase, useTexts } from '../../data/texts.tsx'
import { useAction, useEndpoint } from '../../data/use-endpoint.ts'
import { pageRows, usePaging } from '../../data/use-paging.ts'
import { askConfirmation } from '../../parts/confirm.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Table } from '../../parts/table/table.tsx'
import { RelativeTime } from '../../parts/time.tsx'
import { Button } from '../../semi.ts'
import { BoundAccounts } from '../users/bound-accounts.tsx'
import { useAuthority } from '../users/use-user-acts.ts'
import { words } from './texts.ts'

type Session = Awaited<ReturnType<typeof client.users.sessionsOf>>[number]

export function Access({ user }: { user: User }) {
  const t = useTexts(words)
  const { isMe, mayChange } = useAuthority()
  const paging = usePaging()
  const { id: user_id, username: name } = user
  const list = useEndpoint(['users.sessionsOf', user_id, paging.page, paging.size], async () =>
    pageRows(await client.users.sessionsOf({ user_id }), paging),
  )
  const [end, ending] = useAction(async () => {
    const question = { title: fillPhrase(t.endSessionsAsk, { name }), body: t.endSessionsBody, yes: t.endSessions }
    if (!(await askConfirmation(question))) return
    await client.users.endSessionsOf({ user_id })
    notify.success(t.sessionsEnded)
    list.reload()
  })
  const [removeProofs, removing] = useAction(async () => {
    const question = { title: fillPhrase(t.removeProofsAsk, { name }), body: t.removeProofsBody, yes: t.removeProofs }
    if (!(await askConfirmation(question))) return
    await client.users.removeProofs({ id: user_id })
    notify.success(t.proofsRemoved)
    list.reload()
  })
  return (
    <div className="user-access">
      <BoundAccounts user={user} />
      <section className="panel-part">
        <h2>{t.sessions}</h2>
        <Table
          label={t.sessions}
          columns={useColumns()}
          rowKey={({ id }) => id}
          rowName={({ user_agent, ip }) => user_agent || ip}
          list={list}
          paging={paging}
          empty={{ title: t.noSessions }}
        />
        {mayChange(user) && !isMe(user) && (
          <div className="field-row">
            <Button loading={ending} disabled={(list.data?.total ?? 0) === 0} onClick={() => void end()}>
              {t.endSessions}
            </Button>
            <Button type="danger" loading={removing} onClick={() => void removeProofs()}>
              {t.removeProofs}
            </Button>
          </div>
        )}
      </section>
    </div>
  )
}

function useColumns(): Column<Session>[] {
  const t = useTexts(words)
  return [
    {
      key: 'program',
      title: t.program,
      rank: 1,
      width: 300,
      card: 'title',
      render: ({ user_agent }) =>
        user_agent ? (
          <span className="user-program">{user_agent}</span>
        ) : (
          <span className="muted">{t.unknownProgram}</span>
        ),
    },
    { key: 'address', title: t.address, rank: 1, width: 130, render: ({ ip }) => ip },
    {
      key: 'used',
      title: t.lastUsed,
      rank: 1,
      width: 120,
      render: ({ used_time }) => <RelativeTime seconds={used_time} />,
    },
    {
      key: 'begun',
      title: t.begun,
      rank: 2,
      width: 120,
      render: ({ created_time }) => <RelativeTime seconds={created_time} />,
    },
    {
      key: 'expires',
      title: t.expires,
      rank: 3,
      width: 120,
      render: ({ expires_time }) => <RelativeTime seconds={expires_time} />,
    },
  ]
}
