// `weir bodies …`: bodies of your own calls, encrypted for a key that stays on this machine.
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { fillTemplate } from '../../core/errors.ts'
import { command, group, LIST_COMMAND } from '../command.ts'
import { UsageError } from '../failure.ts'
import { requireConfirmation } from '../input/confirm.ts'
import { asUntranslatedText } from '../language.ts'
import { bodyKeyView, keptBodyView } from '../nouns/stored-body.ts'
import { findTokenId } from '../nouns/token.ts'
import { readAgeIdentity } from '../input/passphrase.ts'
import { words } from '../texts.ts'

const list = command({
  ...LIST_COMMAND,
  output: { view: keptBodyView, many: true },
  summary: words('List your calls whose bodies are kept'),
  async run({ client, print }) {
    const { key, items } = await (await client()).bodies.list()
    await print.list(items, keptBodyView, {
      empty: key ? words('Nothing was kept yet.') : words('Nothing is kept: `weir bodies on` keeps it.'),
    })
  },
})

const on = command({
  name: 'on',
  output: { view: bodyKeyView, many: false },
  summary: words('Keep the bodies of your calls, encrypted for a key whose secret stays here'),
  details: words(
    'weir bodies on --identity-file key.txt --tokens ci creates key.txt if it does not exist. Without it no person, administrators included, can read the stored bodies.',
  ),
  options: {
    identityFile: {
      flag: '--identity-file <file>',
      help: words('file with the age secret key; created if missing'),
    },
    recipient: { flag: '--recipient <key>', help: words('the public key alone (age1…)') },
    tokens: {
      flag: '--tokens <tokens>',
      former: ['--token'],
      help: words('for these tokens, by id or name, separated by commas'),
    },
    all: { flag: '--all', help: words('for all tokens') },
  },
  async run({ client, print, options }) {
    const { identityFile, recipient: given, tokens, all } = options
    if ((identityFile === undefined) === (given === undefined))
      throw new UsageError(words('Give --identity-file or --recipient.'))
    if ((tokens === undefined) === (all === undefined)) throw new UsageError(words('Give --tokens or --all.'))
    const names = (tokens ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]))
    const weir = await client()
    const token_ids = await Promise.all(names.map((name) => findTokenId(weir, name)))
    const recipient = given ?? (await readRecipient(identityFile!))
    const key = await weir.bodies.setKey({ recipient, every_token: all !== undefined, token_ids })
    await print.done(key, bodyKeyView, {
      human: fillTemplate(words('Kept from now on, for {recipient}.'), {
        recipient,
      }),
      quietOutput: recipient,
    })
  },
})

/** Returns the public half of the secret in a file. The file is created if it does not exist. */
async function readRecipient(file: string): Promise<string> {
  const { generateIdentity, identityToRecipient } = await import('age-encryption')
  if (existsSync(file)) return identityToRecipient((await readAgeIdentity(file))!)
  const identity = await generateIdentity()
  const recipient = await identityToRecipient(identity)
  await writeFile(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      const why = { file: asUntranslatedText(file), why: asUntranslatedText(error.code ?? error.message) }
      throw new UsageError(fillTemplate(words('{file} cannot be written ({why}).'), why))
    },
  )
  return recipient
}

const off = command({
  name: 'off',
  summary: words('Keep none any more, and remove those that are kept'),
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, options }) {
    await requireConfirmation(ask, options.yes)(words('Remove all bodies that are kept?'))
    await (await client()).bodies.switchOff()
    print.say(words('Nothing is kept any more.'))
  },
})

const remove = command({
  name: 'rm',
  aliases: ['delete'],
  summary: words('Remove the bodies of a call'),
  arguments: { request: { spec: '<request id>', help: words('id of the request') } },
  options: { yes: { flag: '--yes', help: words('do not ask') } },
  async run({ client, print, ask, args, options }) {
    const named = { request: asUntranslatedText(args.request) }
    await requireConfirmation(ask, options.yes)(fillTemplate(words('Remove the bodies of {request}?'), named))
    await (await client()).bodies.delete({ request_id: args.request })
    print.say(fillTemplate(words('Removed those of {request}.'), named))
  },
})

export const bodiesCommand = group({
  name: 'bodies',
  summary: words('Bodies of your calls, for debugging'),
  commands: [list, on, off, remove],
})
