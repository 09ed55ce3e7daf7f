// `weir bodies …`: bodies of your own calls, encrypted for a key that stays on this machine.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fillTemplate, words } from '../../core/errors.ts'
import { command, group } from '../command.ts'
import { UsageError } from '../failure.ts'
import { requireConfirmation } from '../confirm.ts'
import { wholeNumber } from '../flags.ts'
import { asData } from '../language.ts'
import { bodyKeyView, keptBodyView } from '../nouns/kept-body.ts'
import { identityOf } from '../passphrase.ts'

const list = command({
  name: 'ls',
  aliases: ['list'],
  isDefault: true,
  readOnly: true,
  output: { view: keptBodyView, many: true },
  summary: words('List own calls whose bodies are kept', '列出已保存内容的自己的调用'),
  async run({ client, print }) {
    const { key, items } = await (await client()).bodies.list()
    await print.list(items, keptBodyView, {
      empty: key
        ? words('Nothing was kept yet.', '还没有保存任何内容。')
        : words('Nothing is kept: `weir bodies on` keeps it.', '未保存内容：用 `weir bodies on` 开启。'),
    })
  },
})

const on = command({
  name: 'on',
  output: { view: bodyKeyView, many: false },
  summary: words(
    'Keep bodies of own calls, encrypted for a key whose secret stays here',
    '保存自己的调用内容，以私钥留在本地的密钥加密',
  ),
  details: words(
    'weir bodies on --identity-file key.txt --token 3 makes key.txt where it is not there. Nobody reads what is kept without it: neither do administrators.',
    'weir bodies on --identity-file key.txt --token 3 会在 key.txt 不存在时创建。没有它，任何人（包括管理员）都无法读取保存的内容。',
  ),
  options: {
    identityFile: {
      flag: '--identity-file <file>',
      help: words('the secret key of age; created if missing', 'age 私钥文件；不存在时创建'),
    },
    recipient: { flag: '--recipient <key>', help: words('the public key alone (age1…)', '仅提供公钥（age1…）') },
    tokens: { flag: '--tokens <ids>', help: words('of these tokens, with commas between', '仅这些令牌，以逗号分隔') },
    all: { flag: '--all', help: words('of all tokens', '全部令牌') },
  },
  async run({ client, print, options }) {
    const { identityFile, recipient: given, tokens, all } = options
    if ((identityFile === undefined) === (given === undefined))
      throw new UsageError(words('Give --identity-file or --recipient.', '请指定 --identity-file 或 --recipient。'))
    if ((tokens === undefined) === (all === undefined))
      throw new UsageError(words('Give --tokens or --all.', '请指定 --tokens 或 --all。'))
    const token_ids = (tokens ?? '')
      .split(',')
      .flatMap((id) => (id.trim() === '' ? [] : [wholeNumber('--tokens', id.trim())]))
    const recipient = given ?? (await readRecipient(identityFile!))
    const weir = await client()
    const key = await weir.bodies.setKey({ recipient, every_token: all !== undefined, token_ids })
    await print.done(key, bodyKeyView, {
      human: fillTemplate(words('Kept from now on, for {recipient}.', '自此起保存，使用公钥 {recipient}。'), {
        recipient,
      }),
      bare: recipient,
    })
  },
})

/** Returns the public half of the secret in a file. The file is created if it does not exist. */
async function readRecipient(file: string): Promise<string> {
  const { generateIdentity, identityToRecipient } = await import('age-encryption')
  if (existsSync(file)) return identityToRecipient((await identityOf(file))!)
  const identity = await generateIdentity()
  const recipient = await identityToRecipient(identity)
  await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      const why = { file: asData(file), why: asData(error.code ?? error.message) }
      throw new UsageError(fillTemplate(words('{file} cannot be written ({why}).', '无法写入 {file}（{why}）。'), why))
    },
  )
  return recipient
}

const off = command({
  name: 'off',
  summary: words('Keep none any more, and remove those that are kept', '不再保存，并删除已保存的内容'),
  options: { yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
  async run({ client, print, ask, options }) {
    await requireConfirmation(ask, options.yes)(words('Remove all bodies that are kept?', '删除全部已保存的内容？'))
    await (await client()).bodies.switchOff()
    print.say(words('Nothing is kept any more.', '已不再保存。'))
  },
})

const remove = command({
  name: 'rm',
  aliases: ['delete'],
  summary: words('Remove the bodies of a call', '删除一次调用的内容'),
  arguments: { request: { spec: '<request id>', help: words('id of the request', '请求编号') } },
  options: { yes: { flag: '--yes', help: words('do not ask', '不再询问') } },
  async run({ client, print, ask, args, options }) {
    const named = { request: asData(args.request) }
    await requireConfirmation(
      ask,
      options.yes,
    )(fillTemplate(words('Remove the bodies of {request}?', '删除 {request} 的内容？'), named))
    await (await client()).bodies.delete({ request_id: args.request })
    print.say(fillTemplate(words('Removed those of {request}.', '已删除 {request} 的内容。'), named))
  },
})

export const bodies = group({
  name: 'bodies',
  summary: words('Bodies of own calls, for debugging', '自己的调用内容，用于调试'),
  commands: [list, on, off, remove],
})
