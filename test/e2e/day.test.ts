// An operator's day by commands alone, on this machine and from afar.
import { expect, it } from 'vitest'
import { operatorsDay } from '../support/day.ts'
import { startTestServer } from '../support/server.ts'
import { sampleCases } from '../support/suite.ts'
import { fakeServer, runHere } from '../support/terminal.ts'

/** An OpenAI-compatible provider that is broken at first. */
async function brokenProvider() {
  let broken = true
  const answer = {
    ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'sandbox-small' },
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Two metres.' } }],
    usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
  }
  const failure = { error: { message: 'The server had an error', type: 'server_error', code: null, param: null } }
  const server = await fakeServer(() => (broken ? { status: 500, body: failure } : { body: answer }))
  return { ...server, mend: () => (broken = false) }
}

it.each(sampleCases(['on this machine', 'from afar'] as const, 2))(
  'a day of an operator, %s',
  async (where) => {
    const [server, provider] = [await startTestServer(), await brokenProvider()]
    const here = { WEIR_DATA: server.config.data }
    const set = ['init', '--yes', '--json', '--channel', 'none', '--password', '-']
    expect((await runHere(set, { env: here, input: 'a root password\n' })).code).toBe(0)
    const made = await runHere(['access-tokens', 'add', '--name', 'laptop', '--scope', 'all', '--quiet'], { env: here })
    const afar = { WEIR_SERVER: server.url, WEIR_ACCESS_TOKEN: made.stdout.trim() }
    const env = where === 'from afar' ? afar : here
    const commands = await operatorsDay({
      run: (args, input) => runHere(args, { env, ...(input === undefined ? {} : { input: `${input}\n` }) }),
      url: server.url,
      provider,
    })
    expect(commands).toBeGreaterThanOrEqual(30)
    await provider.close()
    await server.close()
  },
  120_000,
)
