// The accounts elsewhere that a user signs in with; only the user binds them.
import type { User } from '../../../core/users/user.ts'
import { useTexts } from '../../data/texts.tsx'
import { words } from './texts.ts'

export function BoundAccounts({ user }: { user: User }) {
  const t = useTexts(words)
  const accounts: [string, string][] = [
    ['GitHub', user.github_id],
    ['OIDC', user.oidc_id],
    [t.wechat, user.wechat_id],
    [t.email, user.email],
    ['Telegram', user.telegram_id],
    ['LinuxDO', user.linux_do_id],
  ]
  return (
    <section className="panel-part">
      <h2>{t.accounts}</h2>
      <p className="hint">{t.accountsHint}</p>
      <dl className="lines">
        {accounts.map(([name, account]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{account || <span className="muted">{t.notBound}</span>}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
