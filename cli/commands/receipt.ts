// `weir receipt …`: signed receipts of charges, fetched and checked.
import { signatures } from '../../core/adapters/signatures.ts'
import { checkReceipt, readPublicKey, type Receipt, type ReceiptVerdict } from '../../core/quota/receipt.ts'
import { command, group } from '../command.ts'
import { timeText } from '../format.ts'
import { documentIn, textOf } from '../saved-document.ts'

const get = command({
  name: 'get',
  summary: 'Print the signed receipt of a charge; its id is in the x-weir-receipt header of the answer',
  details: 'Keep it as it is: weir receipt get ID > receipt.json',
  arguments: { id: { spec: '<id>', help: 'id of the receipt' } },
  async run({ client, print, args }) {
    const signed = await (await client()).quota.receipt({ receipt_id: args.id })
    await print.text(JSON.stringify(signed, null, 2), signed)
  },
})

const key = command({
  name: 'key',
  summary: 'Print the public key that receipts are signed with (PEM)',
  async run({ client, print }) {
    const found = await (await client()).quota.receiptKey()
    await print.text(found.pem, found)
  },
})

const verify = command({
  name: 'verify',
  summary: 'Check a receipt without asking any server',
  failsWhen: 'it cannot be trusted',
  details: [
    'Without --key it is checked that nothing was changed since the receipt was signed. Anybody can sign, though: only',
    "with the issuer's public key (weir receipt key, or GET /api/receipts/key of the issuer) is it known who did.",
  ].join('\n'),
  arguments: { file: { spec: '<file>', help: 'file with the receipt; - reads standard input' } },
  options: { key: { flag: '--key <file>', help: "file with the issuer's public key" } },
  async run({ print, args, options, readInput, failed }) {
    const document = documentIn(args.file === '-' ? await readInput() : await textOf(args.file))
    const issuerKey = options.key === undefined ? undefined : readPublicKey(await textOf(options.key))
    const verdict = checkReceipt(signatures, document, issuerKey)
    if (verdict.ok) {
      const human = [print.paint(trust(verdict.receipt, issuerKey !== undefined), 'good'), ...summary(verdict.receipt)]
      return print.result(verdict, { human: human.join('\n'), bare: 'ok' })
    }
    await print.result(verdict, { human: print.paint(reasons[verdict.reason], 'bad'), bare: verdict.reason })
    failed()
  },
})

export const receipt = group({ name: 'receipt', summary: 'Signed receipts of charges', commands: [get, verify, key] })

const reasons: Record<Extract<ReceiptVerdict, { ok: false }>['reason'], string> = {
  unreadable: 'This is not a receipt of Weir.',
  other_key: 'Not trusted: the receipt was signed with another key than the one given.',
  forged: 'Not trusted: the receipt was changed after it was signed.',
}

const trust = ({ issuer, key_id }: Receipt, knownIssuer: boolean) =>
  knownIssuer
    ? `Genuine: signed by ${issuer} with the key given, and not changed since.`
    : `Unchanged since it was signed with the key ${key_id}. Whose key that is, --key proves.`

const summary = (receipt: Receipt): string[] => [
  `Receipt ${receipt.receipt_id} of ${timeText(receipt.time)}, issued by ${receipt.issuer}`,
  ...(receipt.request_id === null ? [] : [`Request ${receipt.request_id}`]),
  `User ${receipt.user_id}${receipt.token_id === null ? '' : `, token ${receipt.token_id}`}${receipt.model === null ? '' : `, model ${receipt.model}`}`,
  `Charged ${receipt.amount.toLocaleString('en-US')} quota units, balance after ${receipt.balance_after.toLocaleString('en-US')}`,
]
