// A conversation above the caller's threshold is summed up before it is answered: how long a message of the user may be to
// stay as it is.
import { describe, expect, it } from 'vitest'
import { createOwnedCompactions } from '../../../core/relay/compaction/owned-compactions.ts'
import { compactBeforeCall } from '../../../core/relay/compaction/compact-first.ts'
import type { Call } from '../../../core/relay/call.ts'
import type { ModelCandidate } from '../../../core/relay/model-candidates.ts'
import { openaiResponses } from '../../../core/index.ts'
import { silent, testSecrets } from '../../support/databases.ts'
import { createFakeRandom } from '../../support/random.ts'
import type { Json } from '../../support/json.ts'

const encoder = new TextEncoder()
const parse = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const summary = {
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'm' },
  output: [{ type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Summed.' }] }],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
}
const message = (text: string) => ({ type: 'message', role: 'user', content: text })
/** A message whose JSON has so many bytes. */
const messageOf = (bytes: number) => message('x'.repeat(bytes - JSON.stringify(message('')).length))

/** The step that is answered, which stays in any case. */
const STEP = [
  { type: 'function_call', call_id: 'c', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c', output: '7' },
]

/** The input of the call behind the summary, where the prompt has so many tokens; undefined where it stays as it is. */
async function inputAfter(
  threshold: number,
  last: object,
  prompt_estimate = threshold + 1,
): Promise<Json[] | undefined> {
  const said = { type: 'message', role: 'assistant', content: 'Yes?' }
  const input = [message('First.'), said, last, ...STEP]
  const call = {
    ...{ inbound: openaiResponses, caller: { user: { id: 1 }, token: null, request_id: 'r' } },
    body: encoder.encode(JSON.stringify({ model: 'm', input })),
  }
  const head = { model: 'm', stream: false, include_usage: false, prompt_estimate, compacts_above: threshold }
  // Channels of a type that has no such endpoint.
  const candidates = [{ priority: 0, channels: [{ type: 0 }] }]
  const changed = await compactBeforeCall(
    {
      compactions: createOwnedCompactions(testSecrets),
      ...{ random: createFakeRandom(), logger: silent },
    },
    call as unknown as Call,
    { head, admission: { candidates, listedName: 'm' } } as unknown as ModelCandidate,
    async (_, reply) => reply.whole({ status: 200, headers: {} }, [encoder.encode(JSON.stringify(summary))]),
  )
  return changed && parse(changed.body).input
}

describe("the user's last message", () => {
  it.each([
    { name: '16 KiB', threshold: 100, most: 16 * 1024 },
    { name: 'a quarter of a high threshold, at 4 bytes per token', threshold: 20_000, most: 20_000 },
  ])('stays as it is up to $name, and is summed up beyond', async ({ threshold, most }) => {
    const [summed, ...kept] = (await inputAfter(threshold, messageOf(most))) ?? []
    expect(JSON.stringify(summed)).toContain('Summed.')
    expect(kept).toEqual([messageOf(most), ...STEP])
    const [, ...behind] = (await inputAfter(threshold, messageOf(most + 1))) ?? []
    expect(behind).toEqual(STEP)
  })
})

it('a conversation of no more tokens than the threshold stays as it is', async () => {
  expect(await inputAfter(100, message('Short.'), 100)).toBeUndefined()
})
