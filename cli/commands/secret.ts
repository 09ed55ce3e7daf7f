// `weir secret rotate`: a new master secret for the Weir on this machine.
import type { RotationResult } from '../../core/adapters/node.ts'
import { readSecret } from '../../core/adapters/read-config.ts'
import { secretVariable } from '../../core/config.ts'
import { words } from '../../core/errors.ts'
import { command, group, type CommandEnvironment } from '../command.ts'
import { UsageError } from '../failure.ts'
import { refuseRunning, refuseServer } from '../here.ts'
import { asData, concatTexts, colorizeTexts, type Said } from '../language.ts'
import { requireConfirmation } from '../confirm.ts'
import { object, text, type View } from '../view.ts'

const MIN_LENGTH = 16

const rotationView: View<RotationResult> = {
  key_file: text(words('KEY FILE', '密钥文件'), 1, ({ key_file }) => key_file),
  rewritten: object(words('WRITTEN ANEW', '已重写'), ({ rewritten }) => rewritten),
  dropped: object(words('GONE', '已失效'), ({ dropped }) =>
    dropped.map(({ column, count, loss }) => ({ column, count, loss: loss.en })),
  ),
}

const rotate = command({
  name: 'rotate',
  here: true,
  output: { view: rotationView, many: false },
  summary: words(
    'Change the master secret: everything encrypted is encrypted again with another one',
    '更换主密钥：所有加密内容用新密钥重新写入',
  ),
  details: words(
    'Weir must not be running. API tokens, redemption codes, channel keys, secret settings, authenticator apps and sign-in providers go on as they are. What is kept only as a keyed hash cannot be written anew and goes: sessions, mailed codes, access tokens, backup codes, the ids of answers kept at a provider. Backups made before need the old secret: copy the key file first where you keep them.\n\n' +
      'The new secret goes into the key file; where machines share a PostgreSQL database, copy the file to the others. ' +
      `Where ${secretVariable.env} gives the secret, name the variable that holds the new one with --new-secret-env.`,
    'Weir 不能正在运行。API 令牌、兑换码、渠道密钥、机密设置、验证器与登录服务保持不变。只以带密钥哈希保存的内容无法重写，将会失效：会话、邮件验证码、访问令牌、备用码、服务商处保存的回答编号。此前的备份仍需旧密钥：如保留备份，请先复制密钥文件。\n\n' +
      '新密钥写入密钥文件；多台机器共用 PostgreSQL 数据库时，请把该文件复制到其他机器。' +
      `若密钥由 ${secretVariable.env} 给出，请用 --new-secret-env 指定保存新密钥的变量。`,
  ),
  options: {
    newSecretEnv: {
      flag: '--new-secret-env <name>',
      help: words(
        `the variable that holds the new secret, where ${secretVariable.env} gives the present one`,
        `保存新密钥的变量，用于现有密钥由 ${secretVariable.env} 给出时`,
      ),
    },
    yes: { flag: '--yes', help: words('rotate without asking', '不询问，直接更换') },
  },
  async run(context) {
    const { ask, config, env, options, print, server } = context
    refuseServer('secret rotate', server)
    const sure = requireConfirmation(ask, options.yes, words('change the master secret', '更换主密钥'))
    const given = newSecret(options.newSecretEnv, { env, present: config.secret })
    await refuseRunning(context)
    await sure(
      words(
        'Change the master secret? All users must sign in again; access tokens and backup codes must be created again.',
        '更换主密钥？所有人需重新登录，访问令牌与备用码需重新生成。',
      ),
    )
    const { rotateSecret } = await import('../../core/adapters/node.ts')
    const rotation = await rotateSecret(config, given)
    await print.done(rotation, rotationView, {
      human: report(rotation, options.newSecretEnv, print),
      bare: rotation.key_file ?? '',
    })
  },
})

export const secret = group({ name: 'secret', summary: words('The master secret', '主密钥'), commands: [rotate] })

/** undefined if the secret is in the key file. @throws UsageError if both ways are mixed */
function newSecret(
  name: string | undefined,
  { env, present }: { env: CommandEnvironment['env']; present: string | undefined },
): string | undefined {
  if (present === undefined) {
    if (name === undefined) return undefined
    throw new UsageError(
      words(
        `--new-secret-env is for a secret given by ${secretVariable.env}: here a key file holds it.`,
        `--new-secret-env 用于由 ${secretVariable.env} 给出的密钥：此处密钥保存在密钥文件中。`,
      ),
    )
  }
  if (name === undefined)
    throw new UsageError(
      words(
        `${secretVariable.env} gives the secret: name the variable of the new one with --new-secret-env.`,
        `密钥由 ${secretVariable.env} 给出：请用 --new-secret-env 指定新密钥的变量。`,
      ),
    )
  const value = readSecret(env, name) ?? ''
  if (value.length < MIN_LENGTH)
    throw new UsageError(
      words(
        `${name} must hold the new secret, at least ${MIN_LENGTH} characters.`,
        `${name} 须保存新密钥，至少 ${MIN_LENGTH} 个字符。`,
      ),
    )
  if (value === present)
    throw new UsageError(
      words(`${name} holds the present secret: give another one.`, `${name} 中是现有密钥：请给出另一个。`),
    )
  return value
}

function report(
  { rewritten, dropped, key_file }: RotationResult,
  name: string | undefined,
  print: CommandEnvironment['print'],
): Said {
  const count = Object.values(rewritten).reduce((sum, each) => sum + each, 0)
  return concatTexts([
    colorizeTexts(print, words('The master secret is changed.', '主密钥已更换。'), 'good'),
    asData(''),
    words(`  Written anew  ${count} encrypted values`, `  已重写    ${count} 个加密值`),
    ...dropped.map(({ count: gone, loss }) =>
      words(`  Gone          ${gone} ${loss.en}`, `  已失效    ${gone} ${loss.zh}`),
    ),
    key_file === null
      ? words(
          `  Next          start Weir with ${secretVariable.env} set to what ${name} holds`,
          `  下一步    将 ${secretVariable.env} 设为 ${name} 的内容后启动 Weir`,
        )
      : words(`  Key file      ${key_file}: keep it with your backups`, `  密钥文件  ${key_file}：请与备份一同保存`),
  ])
}
