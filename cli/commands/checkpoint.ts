// `weir ledger checkpoint` and `weir ledger check`: signed checkpoints of the ledger, stored and compared.
import { nodeSignatures } from '../../core/adapters/signatures.ts'
import { fillTemplate } from '../../core/errors.ts'
import { type Checkpoint, matchesLedger, readPublicKey, verifyCheckpoint } from '../../core/quota/receipts.ts'
import { command } from '../command.ts'
import { formatLocalTime } from '../output/format.ts'
import { concatTexts, colorizeTexts } from '../language.ts'
import {
  parseSavedDocument,
  readDocumentText,
  describeTrustedIssuer,
  describeDistrust,
} from '../output/signed-document.ts'
import { words } from '../texts.ts'
import { flag, object, word, type OutputView } from '../output/view.ts'

export const checkpointCommand = command({
  endpoint: 'quota.checkpoint',
  name: 'checkpoint',
  readOnly: true,
  summary: words('Print the current totals of the ledger, signed with the key of this installation'),
  details: words(
    'Store it unchanged in a place that the operators of Weir cannot write to: weir ledger checkpoint > books.json\nLater, weir ledger check proves with it that no entry up to then was changed, removed, added or moved.',
  ),
  async run({ client, print }) {
    const signed = await (await client()).quota.checkpoint({})
    await print.text(JSON.stringify(signed, null, 2), signed)
  },
})

const REASONS = {
  ...describeDistrust(words('checkpoint')),
  changed: words('the books were changed'),
}

interface Checked {
  ok: boolean
  reason: keyof typeof REASONS | null
  content: Checkpoint | null
  books: Checkpoint | null
}

const checkedView: OutputView<Checked> = {
  ok: flag(words('OK'), 1, ({ ok }) => ok),
  reason: word(words('REASON'), 1, REASONS, ({ reason }) => reason),
  /** The signed content, unchanged. */
  content: object(words('CHECKPOINT'), ({ content }) => content),
  books: object(words('BOOKS NOW'), ({ books }) => books),
}

export const checkCommand = command({
  name: 'check',
  readOnly: true,
  output: { view: checkedView, many: false },
  summary: words('Check a checkpoint by its signature, and the books by the checkpoint'),
  failsWhen: words('it cannot be trusted, or the ledger differs'),
  details: words(
    'Without --books the check is offline and needs only the public key (weir receipt key, or GET /api/receipts/key of the issuer). Without --key it only checks that the document was not changed after it was signed. --books compares the document with the ledger of the gateway at the same entry.',
  ),
  arguments: {
    file: {
      spec: '<file>',
      help: words('file with the checkpoint; - reads standard input'),
    },
  },
  options: {
    key: { flag: '--key <file>', help: words("file with the issuer's public key") },
    books: { flag: '--books', help: words('compare it with the books of this Weir') },
  },
  async run({ client, print, args, options, readInput, failed }) {
    const document = parseSavedDocument(args.file === '-' ? await readInput() : await readDocumentText(args.file))
    const issuerKey = options.key === undefined ? undefined : readPublicKey(await readDocumentText(options.key))
    const verdict = verifyCheckpoint(nodeSignatures, document, issuerKey)
    if (!verdict.ok) {
      const { reason } = verdict
      const human = colorizeTexts(print, REASONS[reason], 'bad')
      await print.done({ ok: false, reason, content: null, books: null }, checkedView, { human, quietOutput: reason })
      return failed()
    }
    const { content } = verdict
    const result = [
      colorizeTexts(print, describeTrustedIssuer(content, issuerKey !== undefined), 'good'),
      summary(content),
    ]
    const good: Checked = { ok: true, reason: null, content, books: null }
    if (options.books !== true) return print.done(good, checkedView, { human: concatTexts(result), quietOutput: 'ok' })
    const { checkpoint: books } = await (await client()).quota.checkpoint({ last_entry: content.last_entry })
    if (matchesLedger(content, books)) {
      const same = words('The ledger matches up to that entry.')
      const human = concatTexts([...result, colorizeTexts(print, same, 'good')])
      return print.done({ ...good, books }, checkedView, { human, quietOutput: 'ok' })
    }
    const now = inBooks(books)
    const other = fillTemplate(words('The books were changed: up to that entry they are now {now}.'), { now })
    const human = concatTexts([...result, colorizeTexts(print, other, 'bad')])
    await print.done({ ok: false, reason: 'changed', content, books }, checkedView, { human, quietOutput: 'changed' })
    failed()
  },
})

function summary(stored: Checkpoint) {
  const { issuer, time, last_entry } = stored
  return fillTemplate(words('Books of {issuer} on {time}: {books}, up to entry {last_entry}.'), {
    issuer,
    time: formatLocalTime(time),
    books: inBooks(stored),
    last_entry,
  })
}

function inBooks({ entries, accounts, accounts_hash }: Checkpoint) {
  const [rows, people] = [entries.toLocaleString('en-US'), accounts.toLocaleString('en-US')]
  const hash = accounts_hash.slice(0, 12)
  return fillTemplate(words('entries {rows}, accounts {people}, hash {hash}'), {
    rows,
    people,
    hash: hash || words('none'),
  })
}
