// `weir receipt …`: signed receipts of charges, fetched and checked.
import { nodeSignatures } from '../../core/adapters/signatures.ts'
import { fillTemplate } from '../../core/errors.ts'
import { readPublicKey, type Receipt, verifyReceipt } from '../../core/quota/receipts.ts'
import { command, group } from '../command.ts'
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

const get = command({
  name: 'get',
  readOnly: true,
  summary: words('Print the signed receipt of a charge; its id is in the x-weir-receipt header of the answer'),
  details: words('Keep it as it is: weir receipt get ID > receipt.json'),
  arguments: { id: { spec: '<id>', help: words('id of the receipt') } },
  async run({ client, print, args }) {
    const signed = await (await client()).quota.receipt({ receipt_id: args.id })
    await print.text(JSON.stringify(signed, null, 2), signed)
  },
})

const key = command({
  name: 'key',
  readOnly: true,
  summary: words('Print the public key that receipts are signed with (PEM)'),
  async run({ client, print }) {
    const found = await (await client()).quota.receiptKey()
    await print.text(found.pem, found)
  },
})

const REASONS = describeDistrust(words('receipt'))

interface Checked {
  ok: boolean
  reason: keyof typeof REASONS | null
  receipt: Receipt | null
}

const checkedView: OutputView<Checked> = {
  ok: flag(words('OK'), 1, ({ ok }) => ok),
  reason: word(words('REASON'), 1, REASONS, ({ reason }) => reason),
  /** The signed content, unchanged. */
  receipt: object(words('RECEIPT'), ({ receipt }) => receipt),
}

const verify = command({
  name: 'verify',
  readOnly: true,
  output: { view: checkedView, many: false },
  summary: words('Check a receipt without asking any server'),
  failsWhen: words('it cannot be trusted'),
  details: words(
    "Without --key it is checked that nothing was changed since the receipt was signed. Anybody can sign, though: only with the issuer's public key (weir receipt key, or GET /api/receipts/key of the issuer) is it known who did.",
  ),
  arguments: {
    file: { spec: '<file>', help: words('file with the receipt; - reads standard input') },
  },
  options: { key: { flag: '--key <file>', help: words("file with the issuer's public key") } },
  async run({ print, args, options, readInput, failed }) {
    const document = parseSavedDocument(args.file === '-' ? await readInput() : await readDocumentText(args.file))
    const issuerKey = options.key === undefined ? undefined : readPublicKey(await readDocumentText(options.key))
    const verdict = verifyReceipt(nodeSignatures, document, issuerKey)
    if (verdict.ok) {
      const { receipt: signed } = verdict
      const human = concatTexts([
        colorizeTexts(print, describeTrustedIssuer(signed, issuerKey !== undefined), 'good'),
        summary(signed),
      ])
      return print.done({ ok: true, reason: null, receipt: signed }, checkedView, { human, quietOutput: 'ok' })
    }
    const { reason } = verdict
    const human = colorizeTexts(print, REASONS[reason], 'bad')
    await print.done({ ok: false, reason, receipt: null }, checkedView, { human, quietOutput: reason })
    failed()
  },
})

export const receiptCommand = group({
  name: 'receipt',
  summary: words('Signed receipts of charges'),
  commands: [get, verify, key],
})

function summary({ receipt_id, time, issuer, request_id, user_id, token_id, model, ...signed }: Receipt) {
  const [amount, balance] = [signed.amount.toLocaleString('en-US'), signed.balance_after.toLocaleString('en-US')]
  return concatTexts([
    fillTemplate(words('Receipt {receipt_id} of {time}, issued by {issuer}'), {
      receipt_id,
      time: formatLocalTime(time),
      issuer,
    }),
    ...(request_id === null ? [] : [fillTemplate(words('Request {request_id}'), { request_id })]),
    fillTemplate(words('User {user_id}{token_id}{model}'), {
      user_id,
      token_id: token_id === null ? '' : fillTemplate(words(', token {token_id}'), { token_id }),
      model: model === null ? '' : fillTemplate(words(', model {model}'), { model }),
    }),
    fillTemplate(words('Charged {amount} quota units, balance after {balance}'), { amount, balance }),
  ])
}
