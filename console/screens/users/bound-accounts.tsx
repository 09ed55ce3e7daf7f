// The external accounts that a user signs in with; only the user can bind them.
import { signInServiceList } from '../../../core/settings/sign-in-services.ts'
import type { User } from '../../../core/users/user.ts'
import { useLanguage, useText } from '../../data/texts.tsx'

export function BoundAccounts({ user }: { user: User }) {
  const t = useText()
  const { language } = useLanguage()
  const accounts: [string, string][] = [
    [t('Email'), user.email],
    ...signInServiceList.map(({ name, field }): [string, string] => [name[language], user[field]]),
  ]
  return (
    <section className="panel-part">
      <h2>{t('Bound accounts')}</h2>
      <p className="hint">{t('read-only; the user binds it in personal settings')}</p>
      <dl className="lines">
        {accounts.map(([name, account]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{account || <span className="muted">{t('Not bound')}</span>}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
