// `weir receipt …`: signed receipts of charges, fetched and checked.
import { signatures } from '../../core/adapters/signatures.ts'
import { words } from '../../core/errors.ts'
import { readPublicKey, type Receipt, verifyReceipt } from '../../core/quota/receipts.ts'
import { command, group } from '../command.ts'
import { timeText } from '../format.ts'
import { concatTexts, colorizeTexts } from '../language.ts'
import { parseSavedDocument, readDocumentText, describeTrust, describeDistrust } from '../signed-document.ts'
import { flag, object, word, type View } from '../view.ts'

const get = command({
  name: 'get',
  readOnly: true,
  summary: words(
    'Print the signed receipt of a charge; its id is in the x-weir-receipt header of the answer',
    '打印一笔扣费的签名回执；其编号在回答的 x-weir-receipt 头中',
  ),
  details: words(
    'Keep it as it is: weir receipt get ID > receipt.json',
    '请原样保存：weir receipt get ID > receipt.json',
  ),
  arguments: { id: { spec: '<id>', help: words('id of the receipt', '回执编号') } },
  async run({ client, print, args }) {
    const signed = await (await client()).quota.receipt({ receipt_id: args.id })
    await print.text(JSON.stringify(signed, null, 2), signed)
  },
})

const key = command({
  name: 'key',
  readOnly: true,
  summary: words('Print the public key that receipts are signed with (PEM)', '打印签署回执的公钥（PEM）'),
  async run({ client, print }) {
    const found = await (await client()).quota.receiptKey()
    await print.text(found.pem, found)
  },
})

const REASONS = describeDistrust(words('receipt', '回执'))

interface Checked {
  ok: boolean
  reason: keyof typeof REASONS | null
  receipt: Receipt | null
}

const checkedView: View<Checked> = {
  ok: flag(words('OK', '可信'), 1, ({ ok }) => ok),
  reason: word(words('REASON', '原因'), 1, REASONS, ({ reason }) => reason),
  /** The signed content, unchanged. */
  receipt: object(words('RECEIPT', '回执'), ({ receipt }) => receipt),
}

const verify = command({
  name: 'verify',
  readOnly: true,
  output: { view: checkedView, many: false },
  summary: words('Check a receipt without asking any server', '不询问任何服务器，核对回执'),
  failsWhen: words('it cannot be trusted', '回执不可信'),
  details: words(
    "Without --key it is checked that nothing was changed since the receipt was signed. Anybody can sign, though: only with the issuer's public key (weir receipt key, or GET /api/receipts/key of the issuer) is it known who did.",
    '不带 --key 时只核对签名之后有无改动。但任何人都能签名：只有凭签发者的公钥（weir receipt key，或签发者的 GET /api/receipts/key）才知道是谁签的。',
  ),
  arguments: {
    file: { spec: '<file>', help: words('file with the receipt; - reads standard input', '回执文件；- 表示标准输入') },
  },
  options: { key: { flag: '--key <file>', help: words("file with the issuer's public key", '签发者公钥的文件') } },
  async run({ print, args, options, readInput, failed }) {
    const document = parseSavedDocument(args.file === '-' ? await readInput() : await readDocumentText(args.file))
    const issuerKey = options.key === undefined ? undefined : readPublicKey(await readDocumentText(options.key))
    const verdict = verifyReceipt(signatures, document, issuerKey)
    if (verdict.ok) {
      const { receipt: signed } = verdict
      const human = concatTexts([
        colorizeTexts(print, describeTrust(signed, issuerKey !== undefined), 'good'),
        summary(signed),
      ])
      return print.done({ ok: true, reason: null, receipt: signed }, checkedView, { human, bare: 'ok' })
    }
    const { reason } = verdict
    const human = colorizeTexts(print, REASONS[reason], 'bad')
    await print.done({ ok: false, reason, receipt: null }, checkedView, { human, bare: reason })
    failed()
  },
})

export const receipt = group({
  name: 'receipt',
  summary: words('Signed receipts of charges', '扣费的签名回执'),
  commands: [get, verify, key],
})

function summary({ receipt_id, time, issuer, request_id, user_id, token_id, model, ...signed }: Receipt) {
  const [amount, balance] = [signed.amount.toLocaleString('en-US'), signed.balance_after.toLocaleString('en-US')]
  return concatTexts([
    words(
      `Receipt ${receipt_id} of ${timeText(time)}, issued by ${issuer}`,
      `回执 ${receipt_id}，${timeText(time)}，由 ${issuer} 签发`,
    ),
    ...(request_id === null ? [] : [words(`Request ${request_id}`, `请求 ${request_id}`)]),
    words(
      `User ${user_id}${token_id === null ? '' : `, token ${token_id}`}${model === null ? '' : `, model ${model}`}`,
      `用户 ${user_id}${token_id === null ? '' : `，令牌 ${token_id}`}${model === null ? '' : `，模型 ${model}`}`,
    ),
    words(`Charged ${amount} quota units, balance after ${balance}`, `扣费 ${amount} 额度单位，扣费后余额 ${balance}`),
  ])
}
