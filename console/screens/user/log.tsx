// The last calls of a user; the log itself has the others.
import { Link } from 'react-router'
import type { User } from '../../../core/users/user.ts'
import { useText } from '../../data/texts.tsx'
import { CallList } from '../logs/call-list.tsx'

export function UserLogSection({ user: { username } }: { user: User }) {
  const t = useText()
  return (
    <CallList
      name="user-calls"
      label={t('Log')}
      filter={{ username }}
      hidden={['username']}
      empty={t('This user has made no calls')}
    >
      <p>
        <Link to={`/log?${new URLSearchParams({ username, span: 'month' }).toString()}`}>
          {t('Open the whole log of this user')}
        </Link>
      </p>
    </CallList>
  )
}
