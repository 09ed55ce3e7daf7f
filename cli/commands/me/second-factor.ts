// `weir me second-factor …`: the authenticator app of the signed-in user, and the backup codes.
import type { EndpointName, WeirClient } from '../../../core/contracts.ts'
import { fillTemplate, type Words } from '../../../core/errors.ts'
import { command, group, type Command, type CommandEnvironment } from '../../command.ts'
import { requireConfirmation } from '../../input/confirm.ts'
import { requireFlags, readValueOrInput } from '../../input/flags.ts'
import { asUntranslatedText } from '../../language.ts'
import { refuseEmptyText } from '../../nouns/questions.ts'
import type { ResultPrinter } from '../../output/output.ts'
import { count, flag, text, type OutputView } from '../../output/view.ts'
import { words } from '../../texts.ts'

export const codeOption = {
  flag: '--code <code>',
  help: words('the code; - reads it from standard input'),
} as const

/** Returns the given code, or asks for it without echo. @throws UsageError if no person can be asked */
export async function readCode(
  { ask, readInput }: Pick<CommandEnvironment, 'ask' | 'readInput'>,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return ((await readValueOrInput(given, readInput)) ?? '').trim()
  const question = { name: 'code', label: words('Code'), kind: 'secret', check: refuseEmptyText } as const
  return (await ask.form(undefined, [question], '--code')).code ?? ''
}

interface SecondFactor {
  enabled: boolean
  backup_codes_left: number
}

const factorView: OutputView<SecondFactor> = {
  authenticator: flag(words('AUTHENTICATOR APP'), 1, ({ enabled }) => enabled),
  backup_codes_left: count(words('BACKUP CODES LEFT'), 1, (factor) =>
    factor.enabled ? factor.backup_codes_left : null,
  ),
}

const show = command({
  endpoint: 'auth.totp',
  name: 'show',
  isDefault: true,
  readOnly: true,
  output: { view: factorView, many: false },
  summary: words('Show whether an authenticator app is set up, and how many backup codes are left'),
  async run({ client, print }) {
    const factor = await (await client()).auth.totp()
    await print.one(factor, factorView, { quietOutput: factor.enabled ? 'on' : 'off' })
  },
})

/** The first step of the set-up gives the secret, the second one the backup codes. */
interface SetUpStep {
  secret: string | null
  address: string | null
  backup_codes: readonly string[]
}

const setUpView: OutputView<SetUpStep> = {
  secret: text(words('SECRET'), 1, ({ secret }) => secret),
  address: text(words('ADDRESS FOR THE APP'), 1, ({ address }) => address),
  backup_codes: { title: words('BACKUP CODES'), rank: 1, kind: 'list', of: (step) => step.backup_codes },
}

const CODES = words('Backup codes, shown only now. Each works once, instead of a code of the app:{codes}')
const formatCodes = (print: ResultPrinter, codes: readonly string[]) =>
  fillTemplate(CODES, { codes: codes.map((code) => `\n  ${print.paint(code, 'good')}`).join('') })

const setUp = command({
  endpoint: 'auth.totpBegin',
  name: 'setup',
  output: { view: setUpView, many: false },
  summary: words('Set up an authenticator app: shows its secret, asks for the first code, prints backup codes'),
  details: words(
    'In a script: weir me second-factor setup prints the secret, weir me second-factor setup --code CODE finishes with a code of the app.',
  ),
  options: { code: codeOption },
  async run(context) {
    const { client, print, ask, options } = context
    const { auth } = await client()
    const finish = async (given: string | undefined) => {
      const { backup_codes } = await auth.totpConfirm({ code: await readCode(context, given) })
      await print.done({ secret: null, address: null, backup_codes }, setUpView, {
        human: formatCodes(print, backup_codes),
        quietOutput: backup_codes.join('\n'),
      })
    }
    if (options.code !== undefined) return finish(options.code)
    const { secret, address } = await auth.totpBegin()
    if (ask.possible) {
      print.say(fillTemplate(ENTER_SECRET, { secret: print.paint(secret, 'good'), address }))
      return finish(undefined)
    }
    await print.done({ secret, address, backup_codes: [] }, setUpView, {
      human: fillTemplate(FINISH_LATER, { secret, address }),
      quietOutput: secret,
    })
  },
})

const ENTER_SECRET = words(
  'Add this secret to your authenticator app, or open the address on its device:\n\n  {secret}\n  {address}\n',
)
const FINISH_LATER = words(
  'Add this secret to your authenticator app:\n\n  {secret}\n  {address}\n\nThen finish with `weir me second-factor setup --code CODE`.',
)

const backupCodesView: OutputView<string> = {
  code: text(words('BACKUP CODE'), 1, (code) => code),
}

interface CodedChange<T> extends Pick<Command, 'name' | 'summary'> {
  endpoint: EndpointName
  output: { view: OutputView<T>; many: boolean }
  /** The change as the error names it that asks for --yes. */
  action: Words
  /** The question before it is done. */
  ask(auth: WeirClient['auth']): Promise<Words>
  run(auth: WeirClient['auth'], code: string, print: ResultPrinter): Promise<void>
}

/** Builds a command that a code of the app and a confirmation must precede. */
const changeWithCode = <T>({ action, ask: questionFor, run, ...declared }: CodedChange<T>) =>
  command({
    ...declared,
    options: { code: codeOption, yes: { flag: '--yes', help: words('do not ask') } },
    async run(context) {
      const { client, print, ask, options } = context
      const sure = requireConfirmation(ask, options.yes, action)
      if (!ask.possible) requireFlags({ '--code': options.code })
      const code = await readCode(context, options.code)
      const { auth } = await client()
      await sure(await questionFor(auth))
      await run(auth, code, print)
    },
  })

const renew = changeWithCode({
  endpoint: 'auth.totpBackups',
  name: 'backup-codes',
  output: { view: backupCodesView, many: true },
  summary: words('Make new backup codes and print them, this once; the old ones stop working'),
  action: words('replace the backup codes'),
  async ask(auth) {
    const { backup_codes_left: left } = await auth.totp()
    return fillTemplate(words('Make new backup codes? The {left} old ones stop working.'), { left })
  },
  async run(auth, code, print) {
    const { backup_codes } = await auth.totpBackups({ code })
    if (print.form === 'human') return print.say(formatCodes(print, backup_codes))
    await print.list(backup_codes, backupCodesView, { empty: asUntranslatedText('') })
  },
})

const off = changeWithCode({
  endpoint: 'auth.totpRemove',
  name: 'off',
  output: { view: factorView, many: false },
  summary: words('Remove the authenticator app and the backup codes: your password is enough to sign in'),
  action: words('remove the authenticator app'),
  ask: async () => words('Remove the authenticator app? Your password is then enough to sign in.'),
  async run(auth, code, print) {
    await auth.totpRemove({ code })
    await print.done(await auth.totp(), factorView, {
      human: words('The authenticator app is removed.'),
      quietOutput: 'off',
    })
  },
})

export const secondFactorCommand = group({
  name: 'second-factor',
  summary: words('Your authenticator app and its backup codes'),
  commands: [show, setUp, renew, off],
})
