// Epay gateways: a signed form that the browser posts, and a signed report.
import { fail } from '../errors.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Settings } from '../settings/index.ts'
import { getCallbackAddress, type PaymentService } from './payment.ts'
import { parseHundredths, formatHundredths } from './topup.ts'

const CURRENCY = 'cny'
const PAID = 'TRADE_SUCCESS'

/** Returns the service; undefined if its settings are incomplete. */
export function createEpayService(
  settings: Settings,
  secrets: Pick<Secrets, 'md5' | 'same'>,
): PaymentService | undefined {
  const { PayAddress, EpayId, EpayKey, ServerAddress } = settings
  if (PayAddress === '' || EpayId === '' || EpayKey === '') return undefined
  return {
    name: 'epay',
    currency: CURRENCY,
    price: settings.Price,
    method: (requested) => (requested === 'zfb' ? 'alipay' : 'wxpay'),
    async begin({ method, trade_no, amount, money }) {
      const fields = {
        pid: EpayId,
        type: method,
        out_trade_no: trade_no,
        notify_url: `${getCallbackAddress(settings)}/api/user/epay/notify`,
        return_url: `${ServerAddress}/log`,
        name: `TUC${amount}`,
        money: formatHundredths(money),
        device: 'pc',
      }
      const sign = signEpayFields(fields, EpayKey, secrets)
      return { url: `${PayAddress}/submit.php`, fields: { ...fields, sign_type: 'MD5', sign } }
    },
    read({ fields }) {
      if (!secrets.same(fields.sign ?? '', signEpayFields(fields, EpayKey, secrets))) fail('topup.notice')
      if (fields.pid !== EpayId) fail('topup.notice')
      if (fields.trade_status !== PAID) return undefined
      const money = parseHundredths(fields.money ?? '') ?? fail('topup.notice')
      const { out_trade_no: trade_no = '', trade_no: provider_trade_no = '' } = fields
      return { trade_no, provider_trade_no, money, currency: CURRENCY }
    },
    taken: { status: 200, text: 'success' },
    refused: { status: 200, text: 'fail' },
  }
}

/** Lower-case MD5 of the fields in the order of their names, with the key behind them. Empty ones do not count. */
export function signEpayFields(fields: Record<string, string>, key: string, { md5 }: Pick<Secrets, 'md5'>): string {
  const signed = Object.keys(fields)
    .filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
  return md5(signed.join('&') + key)
}
