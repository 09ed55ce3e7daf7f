// Recorded chat answers of every server, tidied as a channel with `tidy_answers` does: what OpenAI describes, and nothing lost.
import { describe, expect, it } from 'vitest'
import { openaiChat } from '../../core/index.ts'
import { recordingsOf } from '../support/at-hand.ts'
import { describeWithGateway } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { dataEvents, textOf } from '../support/replay.ts'
import { faultsIn } from './descriptions/check.ts'

const tidy = openaiChat.tidy!
const answered = recordingsOf('openai.chat').filter(({ response }) => response.status === 200)
const isFailure = (answer: Json): boolean => answer.error !== undefined && answer.error !== null

describe('tidied chat answers', () => {
  it('are what OpenAI describes', () => {
    const faults = new Set<string>()
    for (const recording of answered) {
      const { body, sse } = recording.response
      const change = tidy.stream()
      const whole =
        body === undefined ? [] : [JSON.parse(Buffer.from(tidy.reply(Buffer.from(JSON.stringify(body)))).toString())]
      const events = sse ? dataEvents(textOf(recording)).map(({ data }) => change(data)) : []
      const chunks = events.filter((data) => data.startsWith('{')).map((data) => JSON.parse(data) as Json)
      for (const answer of whole) {
        if (!Array.isArray(answer.choices)) continue
        for (const fault of faultsIn('openai', 'CreateChatCompletionResponse', answer))
          faults.add(`${fault} (${recording.id})`)
      }
      for (const chunk of chunks) {
        if (isFailure(chunk)) continue
        for (const fault of faultsIn('openai', 'CreateChatCompletionStreamResponse', chunk))
          faults.add(`${fault} (${recording.id})`)
      }
    }
    expect([...faults]).toEqual([])
  })

  it('say the same as before', () => {
    const change = tidy.stream()
    const odd = {
      choices: [{ delta: { content: { a: 1 }, tool_calls: [null, { function: { name: 'f', arguments: { b: 2 } } }] } }],
      service: { tier: 'their own' },
    }
    expect(JSON.parse(change(JSON.stringify({ id: 'i', created: 5, model: 'm', ...odd })))).toMatchObject({
      object: 'chat.completion.chunk',
      service: { tier: 'their own' },
      choices: [
        { index: 0, delta: { content: '{"a":1}', tool_calls: [{ index: 1, function: { arguments: '{"b":2}' } }] } },
      ],
    })
    const ended = {
      choices: [{ index: 0, delta: { tool_calls: null }, finish_reason: 'eos' }],
      usage: { total_tokens: 9 },
    }
    expect(JSON.parse(change(JSON.stringify(ended)))).toEqual({
      ...{ id: 'i', created: 5, model: 'm', object: 'chat.completion.chunk' },
      choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
      usage: { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 },
    })
    expect(JSON.parse(change(JSON.stringify(ended))).choices[0].finish_reason).toBeNull()
    expect(change('[DONE]')).toBe('[DONE]')
  })
})

describeWithGateway('a channel with tidy_answers', (weir) => {
  it('mends whole answers and streams', async () => {
    await weir.addChannel({ setting: JSON.stringify({ tidy_answers: true }) })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    const answer = {
      id: 'i',
      created: 1,
      model: 'm',
      choices: [{ message: { content: { a: 1 } }, finish_reason: 'stop' }],
    }
    weir.upstream.reply({ body: { ...answer, theirs: true } })
    expect((await ada.chat()).json).toMatchObject({
      object: 'chat.completion',
      theirs: true,
      choices: [{ index: 0, message: { role: 'assistant', content: '{"a":1}' } }],
    })
    const chunks = [{ delta: { content: 'Hello', tool_calls: null } }, { delta: {}, finish_reason: 'stop' }]
    weir.upstream.reply({
      chunks: [
        ...chunks.map((choice) => `data: ${JSON.stringify({ ...answer, choices: [choice] })}\n\n`),
        'data: [DONE]\n\n',
      ],
    })
    const events = dataEvents((await ada.chat({ stream: true })).text)
    expect(events.at(-1)?.data).toBe('[DONE]')
    expect(
      events
        .slice(0, -1)
        .flatMap(({ data }) => faultsIn('openai', 'CreateChatCompletionStreamResponse', JSON.parse(data))),
    ).toEqual([])
  })
})
