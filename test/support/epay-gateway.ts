// An Epay gateway on this machine: takes the signed form of a merchant, reports payments until it is told `success`, and
// sends the browser back. Signs and checks by the protocol, not by our code.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fields = Record<string, string>

export interface EpayGateway {
  url: string
  /** The browser posts the form; gives the page that it sees. */
  submit(address: string, form: Fields): Promise<{ status: number; text: string }>
  /** The buyer pays: reports it, at most `tries` times, and gives what was answered and where the browser is sent. */
  pay(tradeNo: string, tries?: number): Promise<{ answers: string[]; back: URL }>
  /** The signed report of an order, with some fields changed before or after signing. */
  report(tradeNo: string, change?: { before?: Fields; after?: Fields }): URLSearchParams
  close(): Promise<void>
}

const NEEDED = ['pid', 'type', 'out_trade_no', 'notify_url', 'return_url', 'name', 'money', 'sign']

export async function startEpayGateway({ pid, key }: { pid: string; key: string }): Promise<EpayGateway> {
  const orders = new Map<string, { fields: Fields; trade_no: string; paid: boolean }>()

  /** Fields with a value, by the order of their names; the key behind them. */
  function sign(fields: Fields): string {
    const names = Object.keys(fields).filter((name) => !['sign', 'sign_type'].includes(name) && fields[name] !== '')
    const text = names.sort().map((name) => `${name}=${fields[name]}`)
    return createHash('md5')
      .update(`${text.join('&')}${key}`, 'utf8')
      .digest('hex')
  }

  function take(fields: Fields): [status: number, text: string] {
    const missing = NEEDED.find((name) => !fields[name])
    if (missing) return [400, `${missing} is missing`]
    if (fields.pid !== pid) return [403, 'no such merchant']
    const [given, due] = [Buffer.from(fields.sign ?? ''), Buffer.from(sign(fields))]
    if (given.length !== due.length || !timingSafeEqual(given, due)) return [403, 'wrong signature']
    if (!/^\d+\.\d{2}$/.test(fields.money ?? '') || Number(fields.money) <= 0) return [400, 'wrong money']
    const tradeNo = fields.out_trade_no ?? ''
    if (orders.get(tradeNo)?.paid) return [409, 'paid already']
    orders.set(tradeNo, { fields, trade_no: `E${orders.size + 1}`, paid: false })
    return [200, `pay ${fields.money}`]
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    const query = new URL(request.url ?? '/', 'http://localhost')
    if (query.pathname !== '/submit.php') return void response.writeHead(404).end()
    const [status, text] = take(Object.fromEntries([...query.searchParams, ...new URLSearchParams(body)]))
    response.writeHead(status).end(text)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))

  const gateway: EpayGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async submit(address, form) {
      const reply = await fetch(address, { method: 'POST', body: new URLSearchParams(form) })
      return { status: reply.status, text: await reply.text() }
    },
    async pay(tradeNo, tries = 5) {
      const order = orders.get(tradeNo)
      if (!order) throw new Error(`the gateway has no order ${tradeNo}`)
      order.paid = true
      const query = gateway.report(tradeNo)
      const answers: string[] = []
      while (answers.length < tries && answers.at(-1) !== 'success') {
        answers.push(await (await fetch(`${order.fields.notify_url}?${query}`)).text())
      }
      return { answers, back: new URL(`${order.fields.return_url}?${query}`) }
    },
    report(tradeNo, { before = {}, after = {} } = {}) {
      const order = orders.get(tradeNo)
      const { type = '', name = '', money = '' } = order?.fields ?? {}
      const fields: Fields = {
        ...{ pid, trade_no: order?.trade_no ?? 'E0', out_trade_no: tradeNo, type, name, money },
        ...{ trade_status: 'TRADE_SUCCESS', ...before },
      }
      return new URLSearchParams({ ...fields, sign: sign(fields), sign_type: 'MD5', ...after })
    },
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  }
  return gateway
}
