// `weir access-tokens …`: access tokens for the JSON API and `--access-token`. On the host, those of the super
// administrator.
import { fillTemplate, toWords } from '../../core/errors.ts'
import { command, group, LIST_COMMAND } from '../command.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { parseExpiryFlag, parseFlagValues, buildQuestion, toFlags } from '../input/flags.ts'
import { buildExpiryQuestion, refuseEmptyText } from '../nouns/questions.ts'
import type { FormQuestion } from '../parts/form-state.ts'
import { words } from '../texts.ts'
import { accessTokenForm } from '../input/forms.built.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { NEVER_EXPIRES } from '../../core/tokens/token.ts'
import type { AccessToken } from '../../core/users/access-tokens.ts'
import { findByName } from '../nouns/names.ts'
import { count, text, time, word, type OutputView } from '../output/view.ts'
import { NEVER_WORDS } from '../nouns/states.data.ts'

/** Returns each scope with the label of its field. */
const buildScopeLabels = () => {
  const { values, choices = [] } = accessTokenForm.scope
  return Object.fromEntries(values.map((value, at) => [value, choices[at] ?? toWords(value)]))
}

const accessTokenView: OutputView<AccessToken> = {
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
const newAccessTokenView: OutputView<AccessToken & { token: string }> = {
  ...accessTokenView,
  token: text(words('TOKEN'), 0, ({ token }) => token),
}

/** Returns the caller's access token by id or name. @throws Refusal if none matches */
async function needAccessToken(weir: WeirClient, name: string): Promise<AccessToken> {
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

const list = command({
  ...LIST_COMMAND,
  output: { view: accessTokenView, many: true },
  summary: words('List your access tokens: scope, last use and expiry'),
  async run({ client, print }) {
    await print.list(await (await client()).users.accessTokens(), accessTokenView, {
      empty: words('No access tokens yet: `weir access-tokens add --name NAME` makes one.'),
    })
  },
})

/** Given as a span or a date. */
const OWN_WAY = ['expired_time'] as const

const questions = (): FormQuestion[] => [
  buildQuestion(accessTokenForm, 'name', { check: refuseEmptyText }),
  buildQuestion(accessTokenForm, 'scope', {
    kind: 'choice',
    choices: Object.entries(buildScopeLabels()).map(([value, label]) => ({ value, label })),
  }),
  buildExpiryQuestion(buildQuestion(accessTokenForm, 'expired_time')),
]

const add = command({
  name: 'add',
  output: { view: newAccessTokenView, many: false },
  summary: words('Make an access token and print it, this once; on a terminal without a name it asks'),
  options: {
    ...toFlags(accessTokenForm, OWN_WAY),
    expires: {
      flag: '--expires <when>',
      help: words('never, a span like 30d, or a date (default: never)'),
    },
  },
  async run({ client, print, ask, options }) {
    const { expired_time, ...answers }: Record<string, string> =
      options.name === undefined ? await ask.form(words('New access token'), questions(), '--name') : {}
    const given = { ...options, ...answers }
    const form = {
      ...parseFlagValues(accessTokenForm, given, OWN_WAY),
      name: given.name ?? '',
      expired_time: parseExpiryFlag('--expires', expired_time ?? options.expires),
    }
    const made = await (await client()).users.createAccessToken(form)
    const shown = `\n\n  ${print.paint(made.token, 'good')}`
    await print.done(made, newAccessTokenView, {
      human: fillTemplate(words('Made access token {id} "{name}" of scope {scope} (shown only now):{shown}'), {
        id: made.id,
        name: made.name,
        scope: made.scope,
        shown,
      }),
      quietOutput: made.token,
    })
  },
})

const show = command({
  endpoint: 'users.thisAccessToken',
  name: 'show',
  readOnly: true,
  output: { view: accessTokenView, many: false },
  summary: words('Show an access token; without a name the one that this command uses'),
  arguments: { token: { spec: '[token]', help: words('id or name of the access token') } },
  async run({ client, print, args }) {
    const weir = await client()
    const found =
      args.token === undefined ? await weir.users.thisAccessToken() : await needAccessToken(weir, args.token)
    await print.one(found, accessTokenView, { quietOutput: String(found.id) })
  },
})

const remove = command({
  name: 'rm',
  aliases: ['delete'],
  output: { view: accessTokenView, many: false },
  summary: words('Delete one of your access tokens: it stops working at once'),
  arguments: { token: { spec: '<token>', help: words('id or name of the access token') } },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await needAccessToken(weir, args.token)
    const { id, name } = found
    await sure(fillTemplate(words('Delete access token {id} "{name}"?'), { id, name }))
    await weir.users.deleteAccessToken({ id })
    await print.done(found, accessTokenView, {
      human: fillTemplate(words('Deleted access token {id} "{name}".'), { id, name }),
      quietOutput: String(id),
    })
  },
})

export const accessTokensCommand = group({
  name: 'access-tokens',
  summary: words('The tokens with which programs use the JSON API'),
  commands: [list, show, add, remove],
})
