// Display of access tokens, and search by name.
import type { WeirClient } from '../../core/contracts.ts'
import { toWords } from '../../core/errors.ts'
import { NEVER_EXPIRES } from '../../core/tokens/token.ts'
import type { AccessToken } from '../../core/users/access-tokens.ts'
import { words } from '../texts.ts'
import { findByName } from './names.ts'
import { count, text, time, word, type OutputView } from '../output/view.ts'
import { NEVER_WORDS } from './states.data.ts'
import { accessTokenForm } from '../input/forms.built.ts'

/** Returns each scope with the label of its field. */
export const buildScopeLabels = () => {
  const { values, choices = [] } = accessTokenForm.scope
  return Object.fromEntries(values.map((value, at) => [value, choices[at] ?? toWords(value)]))
}

export const accessTokenView: OutputView<AccessToken> = {
  id: count(words('ID'), 1, ({ id }) => id),
  name: text(words('NAME'), 2, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  scope: word(words('SCOPE'), 3, buildScopeLabels(), ({ scope }) => scope),
  last_use: time(words('LAST USE'), 4, (token) => token.used_time, {
    shown: (token, { language }) => (token.used_time === 0 ? NEVER_WORDS[language] : undefined),
  }),
  expires: time(words('EXPIRES'), 5, (token) => token.expired_time, {
    shown: (token, { language }) => (token.expired_time === NEVER_EXPIRES ? NEVER_WORDS[language] : undefined),
  }),
  created: time(words('CREATED'), 6, (token) => token.created_time),
}

/** An access token with its text, which is shown only once. */
export const newAccessTokenView: OutputView<AccessToken & { token: string }> = {
  ...accessTokenView,
  token: text(words('TOKEN'), 0, ({ token }) => token),
}

/** Returns the caller's access token by id or name. @throws Refusal if none matches */
export async function needAccessToken(weir: WeirClient, name: string): Promise<AccessToken> {
  const rows = await weir.users.accessTokens()
  return (
    rows.find(({ id }) => String(id) === name) ??
    findByName({
      name,
      rows,
      getNames: (token) => [token.name],
      describe: ({ id }) => String(id),
      missing: words('No access token is called "{name}": see `weir access-tokens`.'),
      several: words('Several access tokens are called "{name}": give the id, one of {ids}.'),
      kind: 'access_token',
    })
  )
}
