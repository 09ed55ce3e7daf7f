// The fields of a channel that change a call: statuses, model names, parameters.
import { expect, it } from 'vitest'
import { describeWithGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const usage = { prompt_tokens: 500, completion_tokens: 77 }
const quota = 1_000_000

describeWithGateway('a channel reshapes', (weir) => {
  it('the status of a failure', async () => {
    await weir.addChannel({ status_code_mapping: '{"400":"503"}' })
    const ada = await weir.addCaller({ quota })
    const refusal = { error: { message: 'not today', type: 't', code: 'c' } }
    weir.upstream.reply({ status: 400, body: refusal })
    expect(await ada.chat({})).toMatchObject({ status: 503, json: { error: { type: 't', code: 'c' } } })
    weir.upstream.reply({ status: 500, body: refusal })
    expect(await ada.chat({})).toMatchObject({ status: 500 })
    await expect(weir.addChannel({ status_code_mapping: '{"500":"oops"}' })).rejects.toThrow(/"429": "503"/)
  })

  it('the name of the model, but not its price', async () => {
    await weir.addChannel({ model_mapping: `{"${weir.model}":"step","step":"real-name"}` })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(chatReply('Hello', usage))
    await ada.chat({})
    expect(weir.upstream.requests[0]?.json.model).toBe('real-name')
    const [row] = await ada.logs()
    expect(row).toMatchObject({ model_name: weir.model, quota: weir.due({ prompt: 500, completion: 77 }) })
    expect(JSON.parse(row!.other)).toMatchObject({ is_model_mapped: true, upstream_model_name: 'real-name' })
  })

  it('the parameters of a request, but not whether it streams', async () => {
    await weir.addChannel({ param_override: '{"temperature":0,"top_p":null,"stream":true,"extra":{"a":[1]}}' })
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(chatReply('Hello', usage))
    await ada.chat({ temperature: 1.5, top_p: 0.5, seed: 7 })
    expect(weir.upstream.requests[0]?.json).toEqual({
      model: weir.model,
      messages,
      temperature: 0,
      seed: 7,
      extra: { a: [1] },
    })
  })
})
