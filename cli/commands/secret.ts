// `weir secret rotate`: a new master secret for the Weir on this machine.
import type { Rotation } from '../../core/adapters/node.ts'
import { secretVariable } from '../../core/config.ts'
import { command, group, type Surroundings } from '../command.ts'
import { UsageError } from '../failure.ts'
import { needSure } from '../sure.ts'

const MIN_LENGTH = 16

const rotate = command({
  name: 'rotate',
  here: true,
  summary: 'Change the master secret: everything encrypted is written anew under another one',
  details: [
    'Weir must not be running. API tokens, redemption codes, channel keys, secret settings, authenticator apps and sign-in',
    'providers go on as they are. What is kept only as a keyed hash cannot be written anew and goes: sessions, mailed',
    'codes, access tokens, backup codes, the ids of answers kept at a provider. Backups made before need the old',
    'secret: copy the key file first where you keep them.',
    'The new secret goes into the key file; where machines share a PostgreSQL database, copy the file to the others.',
    `Where ${secretVariable.env} gives the secret, name the variable that holds the new one with --new-secret-env.`,
  ].join('\n'),
  options: {
    newSecretEnv: {
      flag: '--new-secret-env <name>',
      help: `the variable that holds the new secret, where ${secretVariable.env} gives the present one`,
    },
    yes: { flag: '--yes', help: 'rotate without asking' },
  },
  async run(context) {
    const { ask, config, env, findServer, options, print, server } = context
    if (server !== undefined)
      throw new UsageError('secret rotate works on the Weir on this machine and takes no --server (WEIR_SERVER).')
    const sure = needSure(ask, options.yes, 'change the master secret')
    const given = newSecret(options.newSecretEnv, { env, present: config.secret })
    if (await findServer()) throw new Error('Weir is running on this data folder: stop it, then rotate the secret.')
    await sure('Change the master secret? Everybody signs in again; access tokens and backup codes must be made anew.')
    const { rotateSecret } = await import('../../core/adapters/node.ts')
    const rotation = await rotateSecret(config, given)
    await print.result(rotation, {
      human: report(rotation, options.newSecretEnv, print),
      bare: rotation.key_file ?? '',
    })
  },
})

export const secret = group({ name: 'secret', summary: 'The master secret', commands: [rotate] })

/** Undefined where the key file's way is used. @throws UsageError where the two ways are mixed */
function newSecret(
  name: string | undefined,
  { env, present }: { env: Surroundings['env']; present: string | undefined },
): string | undefined {
  if (present === undefined) {
    if (name === undefined) return undefined
    throw new UsageError(`--new-secret-env is for a secret given by ${secretVariable.env}: here a key file holds it.`)
  }
  if (name === undefined)
    throw new UsageError(
      `${secretVariable.env} gives the secret: name the variable of the new one with --new-secret-env.`,
    )
  const value = env[name] ?? ''
  if (value.length < MIN_LENGTH)
    throw new UsageError(`${name} must hold the new secret, at least ${MIN_LENGTH} characters.`)
  if (value === present) throw new UsageError(`${name} holds the present secret: give another one.`)
  return value
}

function report(
  { rewritten, dropped, key_file }: Rotation,
  name: string | undefined,
  { paint }: Surroundings['print'],
) {
  const count = Object.values(rewritten).reduce((sum, each) => sum + each, 0)
  return [
    paint('The master secret is changed.', 'good'),
    '',
    `  Written anew  ${count} encrypted values`,
    ...dropped.map(({ count: gone, loss }) => `  Gone          ${gone} ${loss}`),
    key_file === null
      ? `  Next          start Weir with ${secretVariable.env} set to what ${name} holds`
      : `  Key file      ${key_file}: keep it with your backups`,
  ].join('\n')
}
