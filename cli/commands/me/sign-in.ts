// `weir me password`, `email`, `sign-ins`, `unbind` and `passkeys`: the ways in which the signed-in user signs in.
import type { WeirClient } from '../../../core/contracts.ts'
import { fillTemplate } from '../../../core/errors.ts'
import { command, group, LIST_COMMAND } from '../../command.ts'
import { findRefusal, GatewayRefusal } from '../../failure.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { buildQuestion, requireFlags } from '../../input/flags.ts'
import { ownAccountView } from '../../nouns/me.ts'
import { findByName } from '../../nouns/names.ts'
import { refuseEmptyText } from '../../nouns/questions.ts'
import { text, time, type OutputView } from '../../output/view.ts'
import type { FormAnswers, FormQuestion } from '../../parts/form-state.ts'
import { words } from '../../texts.ts'
import { loadOwnAccount } from './account.ts'
import { codeOption, readCode } from './second-factor.ts'
import { ownForm } from '../../input/forms.built.ts'

const DIFFERENT = words('They differ.')

const passwordQuestions = (needsCurrent: boolean): FormQuestion[] => [
  buildQuestion(ownForm, 'original_password', { when: () => needsCurrent, check: refuseEmptyText }),
  buildQuestion(ownForm, 'password', { label: words('New password'), check: refuseEmptyText }),
  {
    name: 'again',
    label: words('Once more'),
    kind: 'secret',
    check: (value: string, { password }: FormAnswers) => (value === password ? undefined : DIFFERENT),
  },
]

export const passwordCommand = command({
  endpoint: 'users.updateSelf',
  name: 'password',
  output: { view: ownAccountView, many: false },
  summary: words('Change your password; on a terminal it asks. Your other sessions and your access tokens end'),
  details: words('In a script: weir me password --current-password - --password - reads one line for each of them.'),
  options: {
    currentPassword: {
      flag: '--current-password <password>',
      help: words('your current password; - reads it from standard input'),
    },
    password: { flag: '--password <password>', help: words('your new password; - reads it from standard input') },
  },
  async run({ client, print, ask, options, readInput }) {
    if (options.password === undefined && !ask.possible) requireFlags({ '--password': options.password })
    const lines = [options.currentPassword, options.password].includes('-') ? (await readInput()).split(/\r?\n/) : []
    const [current, password] = [options.currentPassword, options.password].map((value) =>
      value === '-' ? (lines.shift() ?? '') : value,
    )
    const weir = await client()
    const { has_password: needsCurrent } = await weir.auth.bindings()
    if (needsCurrent && current === undefined && !ask.possible) requireFlags({ '--current-password': current })
    const isGiven = password !== undefined && (current !== undefined || !needsCurrent)
    const answers = isGiven
      ? { original_password: current ?? '', password }
      : await ask.form(words('Your password'), passwordQuestions(needsCurrent), '--current-password')
    // The access token that asks ends with the change, so that the account is read before it.
    const account = await loadOwnAccount(weir)
    await weir.users.updateSelf({
      original_password: answers.original_password ?? '',
      password: answers.password ?? '',
    })
    await print.done(account, ownAccountView, {
      human: words(
        'Your password is changed. Your other sessions and your access tokens have ended: `weir login` signs in.',
      ),
      quietOutput: String(account.user.id),
    })
  },
})

export const emailCommand = command({
  endpoint: 'auth.emailBind',
  name: 'email',
  output: { view: ownAccountView, many: false },
  summary: words('Change your e-mail address: sends a code there, and asks for it'),
  details: words('In a script: weir me email ADDRESS sends the code, weir me email ADDRESS --code CODE finishes.'),
  arguments: { address: { spec: '<address>', help: words('your new e-mail address') } },
  options: { code: codeOption },
  async run(context) {
    const { client, print, ask, args, options } = context
    const { address } = args
    const weir = await client()
    if (options.code === undefined) await weir.auth.verification({ email: address }).catch(explainHumanCheck)
    const isSent = options.code === undefined && !ask.possible
    if (!isSent) await weir.auth.emailBind({ email: address, code: await readCode(context, options.code) })
    const account = await loadOwnAccount(weir)
    await print.done(account, ownAccountView, {
      human: fillTemplate(isSent ? CODE_SENT : EMAIL_CHANGED, { address }),
      quietOutput: String(account.user.id),
    })
  },
})

/** Throws an error with another way if the site wants a sign of a person that only a browser can give. */
function explainHumanCheck(error: unknown): never {
  const refusal = findRefusal(error)
  throw refusal?.code === 'human.missing' ? new GatewayRefusal(ONLY_IN_BROWSER, refusal.code) : error
}

const ONLY_IN_BROWSER = words(
  'This site checks that a person asks, which only a browser can show: change your e-mail address there, under Personal settings.',
)
const CODE_SENT = words('A code is sent to {address}. Finish with `weir me email {address} --code CODE`.')
const EMAIL_CHANGED = words('Your e-mail address is {address}.')

// The services that the account is bound to.

type Binding = Awaited<ReturnType<WeirClient['auth']['bindings']>>['services'][number]

const bindingView: OutputView<Binding> = {
  service: text(words('SERVICE'), 1, ({ provider }) => provider, { tone: () => 'strong' }),
  bound: time(words('BOUND'), 1, ({ created_time }) => created_time),
}

export const signInsCommand = command({
  endpoint: 'auth.bindings',
  name: 'sign-ins',
  readOnly: true,
  output: { view: bindingView, many: true },
  summary: words('List the services with which you can sign in, in addition to your password'),
  async run({ client, print }) {
    const { has_password, services } = await (await client()).auth.bindings()
    await print.list(services, bindingView, {
      empty: has_password ? words('Only your password.') : words('Neither a password nor a service.'),
    })
  },
})

export const unbindCommand = command({
  endpoint: 'auth.unbind',
  name: 'unbind',
  output: { view: bindingView, many: false },
  summary: words('Unbind a service: you can no longer sign in with it'),
  arguments: { service: { spec: '<service>', help: words('the service, see `weir me sign-ins`') } },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes, words('unbind'))
    const weir = await client()
    const { services } = await weir.auth.bindings()
    const found = await findByName({
      name: args.service,
      rows: services,
      getNames: ({ provider }) => [provider],
      describe: ({ provider }) => provider,
      missing: words('Your account is not bound to "{name}": see `weir me sign-ins`.'),
      several: words('Several services are called "{name}": {ids}.'),
      kind: 'binding',
    })
    const { provider } = found
    await sure(fillTemplate(words('Unbind {provider}? You can no longer sign in with it.'), { provider }))
    await weir.auth.unbind({ provider })
    await print.done(found, bindingView, {
      human: fillTemplate(words('Unbound {provider}.'), { provider }),
      quietOutput: provider,
    })
  },
})

// Passkeys are made by a browser; the terminal lists and removes them.

type Passkey = Awaited<ReturnType<WeirClient['auth']['passkeys']>>[number]

const passkeyView: OutputView<Passkey> = {
  id: text(words('ID'), 2, ({ id }) => id, { flexible: true }),
  name: text(words('NAME'), 1, ({ name }) => name, { flexible: true, tone: () => 'strong' }),
  created: time(words('CREATED'), 2, ({ created_time }) => created_time),
  last_use: time(words('LAST USE'), 1, ({ used_time }) => used_time),
}

const listPasskeys = command({
  endpoint: 'auth.passkeys',
  ...LIST_COMMAND,
  output: { view: passkeyView, many: true },
  summary: words('List your passkeys; a browser adds them, under Personal settings'),
  async run({ client, print }) {
    await print.list(await (await client()).auth.passkeys(), passkeyView, { empty: words('No passkeys.') })
  },
})

const removePasskey = command({
  endpoint: 'auth.passkeyRemove',
  name: 'rm',
  aliases: ['delete'],
  output: { view: passkeyView, many: false },
  summary: words('Remove a passkey: it can no longer sign in'),
  arguments: { passkey: { spec: '<passkey>', help: words('id or name of the passkey') } },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const sure = requireConfirmation(ask, options.yes)
    const weir = await client()
    const found = await findByName({
      name: args.passkey,
      rows: await weir.auth.passkeys(),
      getNames: ({ id, name }) => [id, name],
      describe: ({ id }) => id,
      missing: words('You have no passkey "{name}": see `weir me passkeys`.'),
      several: words('Several passkeys are called "{name}": give the id, one of {ids}.'),
      kind: 'passkey',
    })
    const { id, name } = found
    await sure(fillTemplate(words('Remove the passkey "{name}"?'), { name }))
    await weir.auth.passkeyRemove({ passkey_id: id })
    await print.done(found, passkeyView, {
      human: fillTemplate(words('Removed the passkey "{name}".'), { name }),
      quietOutput: id,
    })
  },
})

export const passkeysCommand = group({
  name: 'passkeys',
  summary: words('Your passkeys'),
  commands: [listPasskeys, removePasskey],
})
