// `weir ledger checkpoint` and `weir ledger check`: signed checkpoints of the ledger, stored and compared.
import { signatures } from '../../core/adapters/signatures.ts'
import { words } from '../../core/errors.ts'
import { type Checkpoint, matchesLedger, readPublicKey, verifyCheckpoint } from '../../core/quota/receipts.ts'
import { command } from '../command.ts'
import { timeText } from '../format.ts'
import { concatTexts, colorizeTexts } from '../language.ts'
import { parseSavedDocument, readDocumentText, describeTrust, describeDistrust } from '../signed-document.ts'
import { flag, object, word, type View } from '../view.ts'

export const checkpoint = command({
  name: 'checkpoint',
  readOnly: true,
  summary: words(
    'Print the current totals of the ledger, signed with the key of this installation',
    '打印账本当前的结果，以本安装的密钥签名',
  ),
  details: words(
    'Keep it as it is, where nobody who runs Weir can change it: weir ledger checkpoint > books.json\nIt proves later, with weir ledger check, that no entry up to then was changed, removed, added or moved, by whomever.',
    '请原样保存在运行 Weir 的人无法改动之处：weir ledger checkpoint > books.json\n之后可用 weir ledger check 证明：截至当时的条目未被任何人改动、删除、添加或移动。',
  ),
  async run({ client, print }) {
    const signed = await (await client()).quota.checkpoint({})
    await print.text(JSON.stringify(signed, null, 2), signed)
  },
})

const REASONS = {
  ...describeDistrust(words('checkpoint', '账本快照')),
  changed: words('the books were changed', '账本已被改动'),
}

interface Checked {
  ok: boolean
  reason: keyof typeof REASONS | null
  content: Checkpoint | null
  books: Checkpoint | null
}

const checkedView: View<Checked> = {
  ok: flag(words('OK', '可信'), 1, ({ ok }) => ok),
  reason: word(words('REASON', '原因'), 1, REASONS, ({ reason }) => reason),
  /** The signed content, unchanged. */
  content: object(words('CHECKPOINT', '账本快照'), ({ content }) => content),
  books: object(words('BOOKS NOW', '当前账本'), ({ books }) => books),
}

export const check = command({
  name: 'check',
  readOnly: true,
  output: { view: checkedView, many: false },
  summary: words(
    'Check a checkpoint by its signature, and the books by the checkpoint',
    '以签名核对账本快照，并以快照核对账本',
  ),
  failsWhen: words('it cannot be trusted, or the ledger differs', '快照不可信，或与账本不符'),
  details: words(
    'Without --books no server is asked: the public key is all it needs (weir receipt key, or GET /api/receipts/key of the issuer). Without --key it is checked only that nothing was changed since somebody signed. --books asks the gateway what its books come to at the same entry.',
    '不带 --books 时不询问任何服务器：只需公钥（weir receipt key，或签发者的 GET /api/receipts/key）。不带 --key 时只核对签名之后有无改动。--books 会询问网关，其账本到同一条目的结果。',
  ),
  arguments: {
    file: {
      spec: '<file>',
      help: words('file with the checkpoint; - reads standard input', '快照文件；- 表示标准输入'),
    },
  },
  options: {
    key: { flag: '--key <file>', help: words("file with the issuer's public key", '签发者公钥的文件') },
    books: { flag: '--books', help: words('compare it with the books of this Weir', '与此 Weir 的账本比较') },
  },
  async run({ client, print, args, options, readInput, failed }) {
    const document = parseSavedDocument(args.file === '-' ? await readInput() : await readDocumentText(args.file))
    const issuerKey = options.key === undefined ? undefined : readPublicKey(await readDocumentText(options.key))
    const verdict = verifyCheckpoint(signatures, document, issuerKey)
    if (!verdict.ok) {
      const { reason } = verdict
      const human = colorizeTexts(print, REASONS[reason], 'bad')
      await print.done({ ok: false, reason, content: null, books: null }, checkedView, { human, bare: reason })
      return failed()
    }
    const { content } = verdict
    const result = [colorizeTexts(print, describeTrust(content, issuerKey !== undefined), 'good'), summary(content)]
    const good: Checked = { ok: true, reason: null, content, books: null }
    if (options.books !== true) return print.done(good, checkedView, { human: concatTexts(result), bare: 'ok' })
    const { checkpoint: books } = await (await client()).quota.checkpoint({ last_entry: content.last_entry })
    if (matchesLedger(content, books)) {
      const same = words('The ledger matches up to that entry.', '截至该条目，账本与快照一致。')
      const human = concatTexts([...result, colorizeTexts(print, same, 'good')])
      return print.done({ ...good, books }, checkedView, { human, bare: 'ok' })
    }
    const now = inBooks(books)
    const other = words(
      `The books were changed: up to that entry they are now ${now.en}.`,
      `账本已被改动：截至该条目现为${now.zh}。`,
    )
    const human = concatTexts([...result, colorizeTexts(print, other, 'bad')])
    await print.done({ ok: false, reason: 'changed', content, books }, checkedView, { human, bare: 'changed' })
    failed()
  },
})

function summary(stored: Checkpoint) {
  const { en, zh } = inBooks(stored)
  const { issuer, time, last_entry } = stored
  return words(
    `Books of ${issuer} on ${timeText(time)}: ${en}, up to entry ${last_entry}.`,
    `${issuer} 于 ${timeText(time)} 的账本：${zh}，截至条目 ${last_entry}。`,
  )
}

function inBooks({ entries, accounts, accounts_hash }: Checkpoint) {
  const [rows, people] = [entries.toLocaleString('en-US'), accounts.toLocaleString('en-US')]
  const hash = accounts_hash.slice(0, 12)
  return words(
    `entries ${rows}, accounts ${people}, hash ${hash || 'none'}`,
    `条目 ${rows}，账户 ${people}，哈希 ${hash || '无'}`,
  )
}
