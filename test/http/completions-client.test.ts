// The official client's completions against a real server: straight through, and answered by chat models.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { chatReply, chatStream } from '../support/upstream.ts'

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

describeWithGateway('the official client asks for completions', (weir) => {
  const text = (more: object = {}) => ({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1,
    model: 'm',
    choices: [{ text: ' world', index: 0, logprobs: null, finish_reason: 'stop' }],
    usage,
    ...more,
  })

  it('whose bytes pass where the model has them', async () => {
    await weir.addChannel({ models: 'davinci-002' })
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply({ body: text() })
    const asked = { model: 'davinci-002', prompt: [[1, 2, 3]], echo: true, best_of: 2, suffix: '!' }
    const answer = await ada.openai.completions.create(asked)
    expect(answer).toEqual(text())
    expect(weir.upstream.requests[0]).toMatchObject({ path: '/v1/completions', json: asked })
    expect((await ada.logs())[0]).toMatchObject({ prompt_tokens: 100, completion_tokens: 20 })
  })

  it('that a chat model answers, streamed and not', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota: 1_000_000 })
    weir.upstream.reply(chatReply(' world', usage))
    const ask = { model: weir.model, prompt: 'Hello', max_tokens: 5 }
    const answer = await ada.openai.completions.create(ask)
    expect(answer).toMatchObject({
      object: 'text_completion',
      choices: [{ text: ' world', finish_reason: 'stop' }],
      usage,
    })
    expect(weir.upstream.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      json: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 5 },
    })
    weir.upstream.reply(chatStream([' wor', 'ld'], usage))
    const chunks = []
    for await (const chunk of await ada.openai.completions.create({ ...ask, stream: true })) chunks.push(chunk)
    expect(chunks.map(({ choices }) => choices[0]?.text).join('')).toBe(' world')
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe('stop')
    await expect(ada.openai.completions.create({ ...ask, prompt: ['a', 'b'] })).rejects.toMatchObject({
      status: 400,
      code: 'untranslatable_request',
    })
  })
})
