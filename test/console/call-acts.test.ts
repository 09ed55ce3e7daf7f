// What can be done with a call of the log: its request as a command, the playground, and the call once more.
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../core/models/operation.ts'
import { buildCallRequest, buildCurl, isChatRequest } from '../../console/screens/logs/call-request.ts'
import { logEntry, root, signedIn } from './sample-data.ts'
import type { LogEntry } from '../../core/calls/log-entry.ts'
import { useConsole } from './visit.ts'

const site = useConsole()
const entry = (change: Partial<LogEntry>) => logEntry(1, change) as LogEntry

it('writes a command for each operation that is one request, with no key and a placeholder for the content', () => {
  const none = OPERATIONS.filter((operation) => buildCallRequest(entry({ operation })) === null)
  expect(none).toEqual(['realtime', 'drawing', 'music', 'video'].filter((name) => OPERATIONS.includes(name as never)))
  for (const operation of OPERATIONS.filter((name) => !none.includes(name))) {
    const request = buildCallRequest(entry({ operation }))!
    const command = buildCurl(request, 'https://weir.test')
    expect(command).toContain("curl 'https://weir.test/v1/")
    expect(command).toContain('Authorization: Bearer $WEIR_TOKEN')
    expect(command).not.toMatch(/sk-/)
    expect(command).toContain('gpt-4o')
    expect(isChatRequest(request)).toBe(operation === 'chat')
  }
})

it('names the model that was requested, and quotes it for a shell', () => {
  const asked = entry({ other: JSON.stringify({ asked_model: "it's mine" }) })
  const command = buildCurl(buildCallRequest(asked)!, 'https://weir.test')
  expect(command).toContain(String.raw`it'\''s mine`)
  expect(buildCallRequest(entry({ model_name: '' }))).toBeNull()
})

it('copies a call as a command, opens its model in the playground, and sends it again', async () => {
  await site.visit('/log/req-1', { storage: signedIn(root) }, async (page) => {
    const panel = page.getByRole('dialog', { name: 'Call: gpt-4o' })
    await panel.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText(/a placeholder stands for the content/).waitFor()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^curl '.+\/v1\/chat\/completions'[\s\S]+\$WEIR_TOKEN[\s\S]+"model":"gpt-4o"/)
    await page.route('**/pg/chat/completions', (route) =>
      route.fulfill({ json: { choices: [{ message: { content: 'again and again' } }] } }),
    )
    await panel.getByRole('button', { name: 'Send again' }).click()
    const again = page.getByRole('dialog', { name: 'Send a call of gpt-4o again' })
    await again.getByText(/The content of calls is not stored/).waitFor()
    await again.getByRole('textbox', { name: 'Body of the request' }).fill('no JSON')
    await expect.poll(() => again.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
    await again.getByRole('textbox', { name: 'Body of the request' }).fill('{"model":"gpt-4o","messages":[]}')
    await again.getByRole('button', { name: 'Send' }).click()
    await again.getByText('again and again').waitFor()
    await again.getByRole('button', { name: 'Close' }).last().click()
    await panel.getByRole('button', { name: 'Open in the playground' }).click()
    await page.waitForURL(/\/playground\?model=gpt-4o/)
  })
})
