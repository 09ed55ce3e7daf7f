// `weir secret rotate`: a new master secret for the Weir on this machine.
import type { RotationResult } from '../../core/adapters/maintenance.ts'
import { readSecretVariable } from '../../core/adapters/read-config.ts'
import { secretVariable } from '../../core/config.ts'
import { fillTemplate } from '../../core/errors.ts'
import { command, group, type CommandEnvironment } from '../command.ts'
import { UsageError } from '../failure.ts'
import { refuseRunning, refuseServer } from '../connection/here.ts'
import { asUntranslatedText, concatTexts, colorizeTexts, type BilingualText } from '../language.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { words } from '../texts.ts'
import { object, text, type OutputView } from '../output/view.ts'

const MIN_LENGTH = 16

const rotationView: OutputView<RotationResult> = {
  key_file: text(words('KEY FILE'), 1, ({ key_file }) => key_file),
  rewritten: object(words('RE-ENCRYPTED'), ({ rewritten }) => rewritten),
  dropped: object(words('GONE'), ({ dropped }) =>
    dropped.map(({ column, count, loss }) => ({ column, count, loss: loss.en })),
  ),
}

const rotate = command({
  name: 'rotate',
  here: true,
  output: { view: rotationView, many: false },
  summary: words('Change the master secret: everything encrypted is encrypted again with the new one'),
  details: fillTemplate(
    words(
      'Weir must not be running. API tokens, redemption codes, channel keys, secret settings, authenticator apps and sign-in providers stay valid. Values stored only as a keyed hash cannot be re-encrypted and become invalid: sessions, mailed codes, access tokens, backup codes, and the ids of answers stored by providers. Earlier backups need the old secret: copy the key file first if you keep them.\n\nThe new secret goes into the key file; where machines share a PostgreSQL database, copy the file to the others. Where {env} gives the secret, name the variable that holds the new one with --new-secret-env.',
    ),
    { env: secretVariable.env },
  ),
  options: {
    newSecretEnv: {
      flag: '--new-secret-env <name>',
      help: fillTemplate(words('the variable that holds the new secret, where {env} gives the present one'), {
        env: secretVariable.env,
      }),
    },
    yes: { flag: '--yes', help: words('rotate without asking') },
  },
  async run(context) {
    const { ask, config, env, options, print, server } = context
    refuseServer('secret rotate', server)
    const sure = requireConfirmation(ask, options.yes, words('change the master secret'))
    const given = newSecret(options.newSecretEnv, { env, present: config.secret })
    await refuseRunning(context)
    await sure(
      words(
        'Change the master secret? All users must sign in again; access tokens and backup codes must be created again.',
      ),
    )
    const { rotateMasterSecret: rotateSecret } = await import('../../core/adapters/maintenance.ts')
    const rotation = await rotateSecret(config, given)
    await print.done(rotation, rotationView, {
      human: report(rotation, options.newSecretEnv, print),
      quietOutput: rotation.key_file ?? '',
    })
  },
})

export const secretCommand = group({ name: 'secret', summary: words('The master secret'), commands: [rotate] })

/** undefined if the secret is in the key file. @throws UsageError if both ways are mixed */
function newSecret(
  name: string | undefined,
  { env, present }: { env: CommandEnvironment['env']; present: string | undefined },
): string | undefined {
  if (present === undefined) {
    if (name === undefined) return undefined
    throw new UsageError(
      fillTemplate(words('--new-secret-env is for a secret given by {env}: here a key file holds it.'), {
        env: secretVariable.env,
      }),
    )
  }
  if (name === undefined)
    throw new UsageError(
      fillTemplate(words('{env} gives the secret: name the variable of the new one with --new-secret-env.'), {
        env: secretVariable.env,
      }),
    )
  const value = readSecretVariable(env, name) ?? ''
  if (value.length < MIN_LENGTH)
    throw new UsageError(
      fillTemplate(words('{name} must hold the new secret, at least {minLength} characters.'), {
        name,
        minLength: MIN_LENGTH,
      }),
    )
  if (value === present)
    throw new UsageError(fillTemplate(words('{name} holds the present secret: give another one.'), { name }))
  return value
}

function report(
  { rewritten, dropped, key_file }: RotationResult,
  name: string | undefined,
  print: CommandEnvironment['print'],
): BilingualText {
  const count = Object.values(rewritten).reduce((sum, each) => sum + each, 0)
  return concatTexts([
    colorizeTexts(print, words('The master secret is changed.'), 'good'),
    asUntranslatedText(''),
    fillTemplate(words('  Re-encrypted  {count} encrypted values'), { count }),
    ...dropped.map(({ count: gone, loss }) => fillTemplate(words('  Gone          {gone} {loss}'), { gone, loss })),
    key_file === null
      ? fillTemplate(words('  Next          start Weir with {env} set to what {name} holds'), {
          env: secretVariable.env,
          name: name ?? '',
        })
      : fillTemplate(words('  Key file      {key_file}: keep it with your backups'), { key_file }),
  ])
}
