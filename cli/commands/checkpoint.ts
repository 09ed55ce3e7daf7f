// `weir ledger checkpoint` and `weir ledger check`: what the books had come to, signed, kept and compared.
import { signatures } from '../../core/adapters/signatures.ts'
import { agrees, checkCheckpoint, type Checkpoint } from '../../core/quota/checkpoint.ts'
import { readPublicKey } from '../../core/quota/receipt.ts'
import { command } from '../command.ts'
import { timeText } from '../format.ts'
import { documentIn, textOf } from '../saved-document.ts'

export const checkpoint = command({
  name: 'checkpoint',
  summary: 'Print what the books come to now, signed with the key of this installation',
  details: [
    'Keep it as it is, where nobody who runs Weir can change it: weir ledger checkpoint > books.json',
    'It proves later, with weir ledger check, that no entry up to then was changed, removed, added or moved, by whomever.',
  ].join('\n'),
  async run({ client, print }) {
    const signed = await (await client()).quota.checkpoint({})
    await print.text(JSON.stringify(signed, null, 2), signed)
  },
})

export const check = command({
  name: 'check',
  summary: 'Check a checkpoint by its signature, and the books by the checkpoint',
  failsWhen: 'it cannot be trusted, or the books say something else',
  details: [
    'Without --books no server is asked: the public key is all it needs (weir receipt key, or GET /api/receipts/key of the',
    'issuer). Without --key it is checked only that nothing was changed since somebody signed. --books asks the gateway',
    'what its books come to at the same entry.',
  ].join('\n'),
  arguments: { file: { spec: '<file>', help: 'file with the checkpoint; - reads standard input' } },
  options: {
    key: { flag: '--key <file>', help: "file with the issuer's public key" },
    books: { flag: '--books', help: 'compare it with the books of this Weir' },
  },
  async run({ client, print, args, options, readInput, failed }) {
    const document = documentIn(args.file === '-' ? await readInput() : await textOf(args.file))
    const issuerKey = options.key === undefined ? undefined : readPublicKey(await textOf(options.key))
    const verdict = checkCheckpoint(signatures, document, issuerKey)
    if (!verdict.ok) {
      await print.result(verdict, { human: print.paint(reasons[verdict.reason], 'bad'), bare: verdict.reason })
      return failed()
    }
    const { content: kept } = verdict
    const said = [print.paint(trust(kept, issuerKey !== undefined), 'good'), summary(kept)]
    if (options.books !== true) return print.result(verdict, { human: said.join('\n'), bare: 'ok' })
    const { checkpoint: now } = await (await client()).quota.checkpoint({ last_entry: kept.last_entry })
    const holds = agrees(kept, now)
    const found = holds
      ? print.paint('The books say the same up to that entry.', 'good')
      : print.paint(`The books were changed: up to that entry they are now ${inBooks(now)}.`, 'bad')
    await print.result(
      { ...verdict, ok: holds, books: now },
      { human: [...said, found].join('\n'), bare: holds ? 'ok' : 'changed' },
    )
    if (!holds) failed()
  },
})

const reasons = {
  unreadable: 'This is not a checkpoint of Weir.',
  other_key: 'Not trusted: the checkpoint was signed with another key than the one given.',
  forged: 'Not trusted: the checkpoint was changed after it was signed.',
}

const trust = ({ issuer, key_id }: Checkpoint, knownIssuer: boolean) =>
  knownIssuer
    ? `Genuine: signed by ${issuer} with the key given, and not changed since.`
    : `Unchanged since it was signed with the key ${key_id}. Whose key that is, --key proves.`

const summary = (kept: Checkpoint) =>
  `Books of ${kept.issuer} on ${timeText(kept.time)}: ${inBooks(kept)}, up to entry ${kept.last_entry}.`

const inBooks = ({ entries, accounts, accounts_hash }: Checkpoint) =>
  `entries ${entries.toLocaleString('en-US')}, accounts ${accounts.toLocaleString('en-US')}, hash ${accounts_hash.slice(0, 12) || 'none'}`
