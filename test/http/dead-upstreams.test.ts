// A provider that cannot be reached is an expected failure: one line of the log says why, and nothing of Weir is at fault.
import { expect, test } from 'vitest'
import { GatewayError } from '../../core/errors.ts'
import type { Logger } from '../../core/ports/logger.ts'
import { createFetchHandler } from '../../http/fetch-handler.ts'
import { openCaller, openMemoryGateway } from '../core/gateway.ts'
import { newChannel } from '../storage/samples.ts'

async function callDead(cause: Error) {
  const lines: { level: string; message: string; fields: object }[] = []
  const line =
    (level: string) =>
    (message: string, fields: object = {}) =>
      void lines.push({ level, message, fields })
  const logger: Logger = { info: () => undefined, warn: line('warn'), error: line('error') }
  const gateway = await openMemoryGateway({ logger })
  try {
    await gateway.ask(await gateway.as('root'), 'settings.update', { key: 'SelfUseModeEnabled', value: 'true' })
    await gateway.storage.channels.insert([newChannel({ base_url: 'http://dead.test', models: 'm' })])
    await gateway.storage.announce({ topic: 'channels', id: 0 })
    const { key } = await openCaller(gateway, { quota: 1_000_000 })
    gateway.upstream.reply(() => Promise.reject(cause))
    const handle = createFetchHandler(gateway)
    lines.length = 0
    const response = await handle(
      new Request('https://weir.example/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }),
      }),
    )
    return { status: response.status, body: (await response.json()) as { error: { code: string } }, lines }
  } finally {
    await gateway.close()
  }
}

test('a refused connection is one line with its reason, and no bug', async () => {
  const refused = new GatewayError(
    'upstream.unreachable',
    {},
    { network: 'network.refused', detail: 'POST http://dead.test' },
  )
  const { status, body, lines } = await callDead(refused)
  expect([status, body.error.code]).toEqual([500, 'do_request_failed'])
  expect(lines).toEqual([
    {
      level: 'warn',
      message: 'attempt failed',
      fields: {
        ...{ channel: 1, status: 500, code: 'do_request_failed', message: refused.message },
        ...{ network: 'network.refused', detail: 'POST http://dead.test' },
      },
    },
  ])
})

test('an error that no one expects is still told as one', async () => {
  const { lines } = await callDead(new TypeError('undefined is not a function'))
  expect(lines.find(({ level }) => level === 'error')).toMatchObject({
    message: 'relay failed',
    fields: { code: 'server.bug' },
  })
})
