// Makes one of every kind of call on a whole Weir, and gives the row that it left.
import type { LogEntry } from '../../core/calls/log-entry.ts'
import type { TestGateway } from '../support/gateway.ts'
import type { BilledCall } from './calls.ts'

/** More than any of the calls costs. Quota units. */
export const BALANCE = 100_000_000

/** The row, what the balance fell by, and the id of the receipt. */
export async function made(
  weir: TestGateway,
  call: BilledCall,
): Promise<{ row: LogEntry; paid: number; receipt_id: string }> {
  const { type = 1, model, path = '/v1/chat/completions', body, form, reply, settings = {} } = call
  await weir.addChannel({ type, models: model })
  for (const [key, value] of Object.entries(settings)) await weir.set(key, value)
  const ada = await weir.addCaller({ quota: BALANCE })
  weir.upstream.reply(reply)
  const answer = await fetch(`${weir.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.key}`, ...(form ? {} : { 'content-type': 'application/json' }) },
    body: form ? form() : JSON.stringify({ model, ...body }),
  })
  const text = await answer.text()
  const [row, ...more] = await ada.logs()
  if (!answer.ok || !row || more.length > 0) throw new Error(`${call.name}: ${answer.status} ${text}`)
  return {
    row,
    paid: BALANCE - (await ada.balances()).quota,
    receipt_id: answer.headers.get('x-weir-receipt') ?? '',
  }
}
