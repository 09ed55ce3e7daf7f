// The external accounts that a user signs in with; only the user can bind them.
import { signInServiceList } from '../../../core/settings/sign-in-services.ts'
import type { User } from '../../../core/users/user.ts'
import { useLanguage, useTexts } from '../../data/texts.tsx'
import { words } from './texts.ts'

export function BoundAccounts({ user }: { user: User }) {
  const t = useTexts(words)
  const { language } = useLanguage()
  const accounts: [string, string][] = [
    [t.email, user.email],
    ...signInServiceList.map(({ name, field }): [string, string] => [name[language], user[field]]),
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
