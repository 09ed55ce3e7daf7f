// `weir users …`: accounts, their rights and their balances.
import type { User, UserRoleName, UserState } from '../../core/users/user.ts'
import { USER_ROLE_NAMES, USER_STATES, USER_STATUS } from '../../core/users/user.ts'
import { fillTemplate } from '../../core/errors.ts'
import { parseQuotaFlag } from '../input/amount.ts'
import { formatDollars, formatAmountChange } from '../changed-amounts.ts'
import { command, group, type Command, LIST_COMMAND } from '../command.ts'
import { UsageError } from '../failure.ts'
import { words } from '../texts.ts'
import { findRequiredUser, newUserView, userRowView, userWithPasswordView } from '../nouns/user.ts'
import {
  createFlags,
  editFlags,
  parseUserEdit,
  buildUserQuestions,
  buildNewUserQuestions,
  passwordOptionFlag,
  readGivenPassword,
  passwordFieldQuestion,
} from '../nouns/user-form.ts'
import { printEachResult } from '../output/output.ts'
import { parseRequestedRows, buildPageOptions, printRequestedRows, type PageQuery } from '../output/paging.ts'
import type { FormAnswers } from '../parts/form-state.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { exportUserCommand, forgetCommand } from './user-data.ts'

const DEFAULT_LIMIT = 50

const user = { spec: '<user>', help: words('id or username') } as const

const list = command({
  endpoint: 'users.list',
  ...LIST_COMMAND,
  output: { view: userRowView, many: true },
  summary: words('List users, newest first'),
  options: {
    search: {
      flag: '--search <text>',
      help: words('part of the username, display name, e-mail or remark, or an id'),
    },
    group: { flag: '--group <name>', help: words('only users of this group') },
    role: { flag: '--role <role>', help: words('only users of this role'), choices: USER_ROLE_NAMES },
    status: { flag: '--status <state>', help: words('only users in this state'), choices: USER_STATES },
    ...buildPageOptions(DEFAULT_LIMIT),
  },
  async run({ client, print, options }) {
    const range = parseRequestedRows(options, print, DEFAULT_LIMIT)
    const { search: keyword = '', group = '' } = options
    const role = (options.role ?? '') as UserRoleName | ''
    const status = (options.status ?? '') as UserState | ''
    const weir = await client()
    const fetch = async (query: PageQuery) =>
      [keyword, group, role, status].some((value) => value !== '')
        ? weir.users.search({ ...query, keyword, group, role, status })
        : weir.users.list(query)
    await printRequestedRows(print, range, fetch, userRowView, { empty: words('No users.') })
  },
})

const show = command({
  endpoint: 'users.search',
  name: 'show',
  readOnly: true,
  output: { view: userRowView, many: false },
  summary: words('Show a user'),
  arguments: { user },
  async run({ client, print, args }) {
    const user = await findRequiredUser(await client(), args.user)
    await print.one(user, userRowView, { quietOutput: String(user.id) })
  },
})

const create = command({
  endpoint: 'users.create',
  name: 'create',
  aliases: ['add'],
  output: { view: newUserView, many: false },
  summary: words('Make an account; on a terminal without a username it asks'),
  details: words(
    'weir users create alice --group vip --quota 5usd --password -; weir users create --email ada@example.com',
  ),
  arguments: { username: { spec: '[username]', help: words('name to sign in with') } },
  options: createFlags,
  async run(context) {
    const { client, money, print, ask, args, options } = context
    const usesForm = args.username === undefined && options.email === undefined
    const answers: Partial<FormAnswers> = usesForm
      ? await ask.form(words('New user'), buildNewUserQuestions(options), '<username>')
      : {}
    const { username, display_name, email, group, quota, password, remark } = {
      username: args.username,
      ...options,
      ...answers,
    }
    const amount = quota ? parseQuotaFlag('--quota', quota) : undefined
    const isInvited = Boolean(email) && !password
    const secret = isInvited ? { password: '', made: null } : await readGivenPassword(context, password)
    const weir = await client()
    const { invitation, ...made } = await weir.users.create({
      username,
      display_name,
      email,
      group,
      remark,
      password: secret.password,
      ...(amount ? { quota: amount(await money()) } : {}),
    })
    const balance = formatDollars(made.quota, await money())
    const facts = { id: made.id, username: made.username, balance }
    const text = fillTemplate(
      secret.made
        ? words('Made user {id} "{username}" with a balance of {balance} and the password {made} (shown only now).')
        : words('Made user {id} "{username}" with a balance of {balance}.'),
      { ...facts, made: secret.made ?? '' },
    )
    const { link = '', mailed = false, failure = '' } = invitation ?? {}
    const row = { ...made, password: secret.made, link: link || null }
    await print.done(row, newUserView, {
      human: invitation ? fillTemplate(mailed ? INVITED : NOT_MAILED, { text, link, failure }) : text,
      quietOutput: String(made.id),
    })
  },
})

const INVITED = words('{text} The link to set a password was mailed, and is good for 7 days: {link}')
const NOT_MAILED = words(
  '{text} No mail was sent: {failure}. Send the user this link to set a password; it is good for 7 days: {link}',
)

const edit = command({
  endpoint: 'users.update',
  name: 'edit',
  output: { view: userRowView, many: false },
  summary: words('Change names and group of a user; on a terminal without flags it asks'),
  arguments: { user },
  options: editFlags,
  async run({ client, money, print, ask, args, options }) {
    let change = parseUserEdit(options)
    if (Object.keys(change).length === 0 && !ask.possible)
      throw new UsageError(words('Nothing to change: give --username, --display-name, --group or --remark.'))
    const weir = await client()
    const before = await findRequiredUser(weir, args.user)
    const usesForm = Object.keys(change).length === 0
    if (usesForm) {
      const title = fillTemplate(words('User {id} {username}'), { id: before.id, username: before.username })
      change = parseUserEdit(await ask.fields(title, buildUserQuestions(before, await money()), '--username'))
    }
    // A form takes time after reading. The version prevents overwriting a change made since.
    await weir.users.update({ id: before.id, ...change, ...(usesForm ? { version: before.version } : {}) })
    const after = await weir.users.get({ id: before.id })
    await print.done(after, userRowView, {
      human: fillTemplate(words('Changed user {id} "{username}".'), { id: after.id, username: after.username }),
      quietOutput: String(after.id),
    })
  },
})

const topUp = command({
  endpoint: 'users.update',
  name: 'topup',
  output: { view: userRowView, many: false },
  summary: words('Add to the balance of a user, or take from it'),
  details: words('In dollars: weir users topup alice 5usd'),
  arguments: {
    user,
    amount: {
      spec: '<amount>',
      help: words('dollars like 5usd, or quota units; below zero takes away'),
    },
  },
  options: { reason: { flag: '--reason <text>', help: words('kept in the log') } },
  async run({ client, money, print, args, options }) {
    const amount = parseQuotaFlag('<amount>', args.amount, { zero: 'refused' })
    const weir = await client()
    const before = await findRequiredUser(weir, args.user)
    const shown = await money()
    const added = amount(shown)
    const quota = before.quota + added
    await weir.users.update({ id: before.id, quota, quota_before: before.quota, reason: options.reason })
    await print.done({ ...before, quota }, userRowView, {
      human: fillTemplate(BALANCE, {
        name: before.username,
        before: formatDollars(before.quota, shown),
        after: formatDollars(quota, shown),
        moved: formatAmountChange(added, shown),
      }),
      quietOutput: String(before.id),
    })
  },
})

const BALANCE = words('The balance of {name}: {before} → {after} ({moved}).')

/** The one-word actions on a user. */
const ACTS = {
  enable: {
    summary: words('Enable a user'),
    done: words('User {id} "{username}" is enabled.'),
  },
  disable: {
    summary: words('Disable a user: their sessions end and their tokens are refused'),
    done: words('User {id} "{username}" is disabled.'),
  },
  promote: {
    summary: words('Make a user an administrator'),
    done: words('User {id} "{username}" is an administrator.'),
  },
  demote: {
    summary: words('Make an administrator an ordinary user'),
    done: words('User {id} "{username}" is an ordinary user.'),
  },
} as const

const acts = Object.entries(ACTS).map(([action, { summary, done }]): Command =>
  command({
    endpoint: 'users.manage',
    name: action,
    output: { view: userRowView, many: false },
    summary,
    arguments: { user },
    async run({ client, print, args }) {
      const weir = await client()
      const before = await findRequiredUser(weir, args.user)
      const state = await weir.users.manage({ id: before.id, action: action as keyof typeof ACTS })
      await print.done({ ...before, ...state }, userRowView, {
        human: fillTemplate(done, toUserName(before)),
        quietOutput: String(before.id),
      })
    },
  }),
)

const password = command({
  endpoint: 'users.update',
  name: 'password',
  output: { view: userWithPasswordView, many: false },
  summary: words('Give a user a new password: their sessions and access tokens end'),
  arguments: { user },
  options: { password: passwordOptionFlag },
  async run(context) {
    const { client, print, ask, args, options } = context
    const newPassword =
      options.password === undefined && ask.possible
        ? (await ask.form(words('New password'), [passwordFieldQuestion], '--password')).password
        : options.password
    const secret = await readGivenPassword(context, newPassword)
    const weir = await client()
    const { id, username, ...rest } = await findRequiredUser(weir, args.user)
    await weir.users.update({ id, password: secret.password })
    await print.done({ ...rest, id, username, password: secret.made }, userWithPasswordView, {
      human: secret.made
        ? fillTemplate(words('The password of {username} is {made} (shown only now).'), { username, made: secret.made })
        : fillTemplate(words('The password of {username} is changed.'), { username }),
      quietOutput: String(id),
    })
  },
})

const remove = command({
  endpoint: 'users.deleteMany',
  name: 'rm',
  aliases: ['delete'],
  output: { view: userRowView, many: false },
  summary: words('Deregister users: the accounts are kept and marked, but cannot be used'),
  details: words(
    'Several are deregistered together, or none of them. For programs: of one user an object, of several a list.',
  ),
  arguments: { users: { spec: '<users...>', help: words('ids or usernames') } },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const named: User[] = []
    for (const name of args.users) named.push(await findRequiredUser(weir, name))
    const chosen = [...new Map(named.map((each) => [each.id, each])).values()]
    const names = chosen.map(formatUser).join(', ')
    await sure(fillTemplate(chosen.length === 1 ? REMOVE : REMOVE_MANY, { names, count: chosen.length }))
    await weir.users.deleteMany({ ids: chosen.map(({ id }) => id) })
    const DeletedAt = new Date().toISOString()
    const gone = chosen.map((each) => ({ ...each, status: USER_STATUS.disabled, DeletedAt }))
    await printEachResult(print, gone, userRowView, {
      many: args.users.length > 1,
      human: (row) => fillTemplate(REMOVED, { names: formatUser(row) }),
    })
  },
})

const removeSecondFactors = command({
  endpoint: 'users.removeProofs',
  name: 'reset-second-factors',
  output: { view: userRowView, many: false },
  summary: words('Remove the authenticator app and the passkeys of a user who has lost them: their sessions end'),
  arguments: { user },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes, words('remove second factors'))
    const weir = await client()
    const found = await findRequiredUser(weir, args.user)
    await sure(fillTemplate(RESET, toUserName(found)))
    await weir.users.removeProofs({ id: found.id })
    await print.done(found, userRowView, {
      human: fillTemplate(words('Removed the second factors of user {id} "{username}".'), toUserName(found)),
      quietOutput: String(found.id),
    })
  },
})

const RESET = words('Remove the authenticator app and the passkeys of user {id} "{username}"?')

const formatUser = ({ id, username }: User) => `${id} "${username}"`
const toUserName = ({ id, username }: User) => ({ id, username })

const REMOVE = words('Deregister user {names}?')
const REMOVE_MANY = words('Deregister {count} users: {names}?')
const REMOVED = words('Deregistered user {names}.')

export const usersCommand = group({
  name: 'users',
  summary: words('Accounts'),
  commands: [
    ...[list, show, create, edit, topUp, ...acts, password, removeSecondFactors, remove],
    ...[exportUserCommand, forgetCommand],
  ],
})
