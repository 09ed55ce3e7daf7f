// Events of a client in a realtime session: the model stays the admitted one, and invalid events are not forwarded.
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import WebSocket from 'ws'
import type { Caller } from '../support/caller.ts'
import { eventually } from '../support/gateway.ts'
import type { Json } from '../support/json.ts'
import { describeRealtime, REALTIME_MODEL as MODEL } from '../support/realtime-session.ts'

const OTHER = 'gpt-4o-realtime-preview'
const UPSTREAM = 'theirs'

/** Every event that callers send, and one that nobody knows yet. */
const TYPES = [
  ...['session.update', 'transcription_session.update', 'response.create', 'response.cancel'],
  ...['conversation.item.create', 'conversation.item.retrieve', 'conversation.item.truncate'],
  ...['input_audio_buffer.append', 'input_audio_buffer.commit', 'output_audio_buffer.clear', 'something.new'],
]
/** Where a model could be named; `$` stands for its name as JSON has it. */
const PLACES: Record<string, string> = {
  top: '"model":$',
  session: '"session":{"type":"realtime","model":$}',
  response: '"response":{"model":$}',
  item: '"item":{"type":"message","role":"user","model":$,"content":[]}',
  'an item of a response': '"response":{"input":[{"type":"message","model":$}]}',
  'a tool': '"session":{"tools":[{"type":"function","name":"f","model":$}]}',
  'deep inside': '"session":{"audio":{"output":{"voice":{"model":$}}}}',
  'a list of lists': '"session":{"x":[[{"model":$}]]}',
  'beside parameters': '"session":{"parameters":{"model":$}}',
  transcription: '"session":{"audio":{"input":{"transcription":{"model":$}}}}',
  'the older transcription': '"session":{"input_audio_transcription":{"model":$}}',
}
const escaped = (text: string) =>
  [...text].map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
/** How the same is written. */
const SPELLINGS: Record<string, (place: string) => string> = {
  plain: (place) => place,
  'an escaped key': (place) => place.replace('"model"', `"${escaped('model')}"`),
  'an escaped name': (place) => place.replace(`"${OTHER}"`, `"${escaped(OTHER)}"`),
  'twice, the other last': (place) => place.replace('"model"', `"model":"${MODEL}","model"`),
  'twice, the other first': (place) => place.replace(`"model":"${OTHER}"`, `"model":"${OTHER}","model":"${MODEL}"`),
  'the holder twice': (place) => `${place.replace(OTHER, MODEL)},${place}`,
  blanks: (place) => place.replace('"model":', '"model" \n\t : '),
  'no text': (place) => place.replace(`"${OTHER}"`, `["${OTHER}"]`),
  'an object': (place) => place.replace(`"${OTHER}"`, `{"id":"${OTHER}"}`),
}
const frames = TYPES.flatMap((type) =>
  Object.values(PLACES).flatMap((place) =>
    Object.values(SPELLINGS).flatMap((write) =>
      [type, escaped(type)].map(
        (name) => `{${write(place.replace('$', `"${OTHER}"`))},"type":"${name}","event_id":"mine"}`,
      ),
    ),
  ),
)

describeRealtime('what a session is sent', ({ weir, provider, addChannel, address }) => {
  const sockets: WebSocket[] = []
  afterEach(() => sockets.splice(0).forEach((socket) => socket.close()))

  async function opened(ada: Caller) {
    const socket = new WebSocket(address(), { headers: { authorization: `Bearer ${ada.key}` } })
    sockets.push(socket)
    const events: Json[] = []
    socket.on('message', (data) => events.push(JSON.parse(String(data))))
    await once(socket, 'open')
    /** Sends frames; resolves to what the provider heard of them and to the refusals. */
    async function say(...frames: (string | Uint8Array)[]) {
      provider.heard.length = events.length = 0
      for (const frame of frames) socket.send(frame)
      await eventually(
        () => provider.heard.length + events.length,
        (n) => n >= frames.length,
        15_000,
      )
      return { heard: [...provider.heard], refused: events.map(({ error }) => error) }
    }
    return { socket, say }
  }
  const caller = async (more: object = {}) => {
    await addChannel({ model_mapping: `{"${MODEL}":"${UPSTREAM}"}` })
    return weir.addCaller({ quota: 1_000_000, ...more })
  }

  it('never names another model to the provider, wherever and however it is written', async () => {
    const ada = await caller({ token: { model_limits_enabled: true, model_limits: MODEL } })
    const { say } = await opened(ada)
    const { heard, refused } = await say(...frames)
    expect(heard.length + refused.length).toBe(frames.length)
    expect(heard.filter((event) => JSON.stringify(event).includes(OTHER))).toEqual([])
    const codes = new Set(refused.map(({ code }) => code))
    expect(codes).toEqual(new Set(['model_fixed', 'model_not_allowed']))
    for (const { type, param, event_id } of refused) {
      expect({ type, event_id, named: /(^|\.)model$/.test(param) }).toMatchObject({ event_id: 'mine', named: true })
    }
    // What went through had the session's own name last, and goes by the provider's.
    expect(heard.length).toBeGreaterThan(100)
    const named = new RegExp(`"model":"${UPSTREAM}"|transcription":{"model":"${MODEL}"`)
    expect(heard.filter((event) => !named.test(JSON.stringify(event)))).toEqual([])
  })

  it('may say its own model, by either name, and use the word where it means nothing', async () => {
    await weir.set('objects.allowed', { default: ['prompt:p'] })
    const { say } = await opened(await caller())
    const free = {
      type: 'session.update',
      session: {
        tools: [
          { type: 'function', name: 'f', parameters: { type: 'object', properties: { model: { type: 'string' } } } },
        ],
        prompt: { id: 'p', variables: { model: OTHER } },
        tracing: { metadata: { model: OTHER } },
        instructions: `{"model":"${OTHER}"}`,
      },
    }
    const own = [MODEL, UPSTREAM].map((model) => ({ type: 'session.update', session: { model } }))
    const { heard, refused } = await say(...[free, ...own].map((event) => JSON.stringify(event)))
    expect(refused).toEqual([])
    expect(heard).toEqual([free, ...own.map((event) => ({ ...event, session: { model: UPSTREAM } }))])
  })

  it('has what is heard written down only by a model that the caller may have, and that has a price', async () => {
    const written = (model: unknown) =>
      JSON.stringify({ type: 'session.update', session: { audio: { input: { transcription: { model } } } } })
    const limited = await opened(
      await caller({ token: { model_limits_enabled: true, model_limits: `${MODEL},whisper-1` } }),
    )
    expect((await limited.say(written('whisper-1'))).refused).toEqual([])
    expect((await limited.say(written('gpt-4o-transcribe'))).refused).toMatchObject([{ code: 'model_not_allowed' }])
    const free = await opened(await caller())
    expect((await free.say(written('gpt-4o-transcribe'))).refused).toEqual([])
    expect((await free.say(written('nobody-knows-it'))).refused).toMatchObject([{ type: 'new_api_error' }])
    expect((await free.say(written(['whisper-1']))).refused).toMatchObject([{ code: 'model_fixed' }])
  })

  it('goes on only as an event: bytes and all else are refused, and the session stays', async () => {
    const { say, socket } = await opened(await caller())
    const deep = `{"type":"session.update","session":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`
    const none = [
      '',
      'hello',
      '[]',
      'null',
      '"x"',
      '1',
      '{}',
      '{"type":1}',
      '{"type":null}',
      '{"type":"x"',
      `{"type":"x"}{}`,
    ]
    const bytes = [Buffer.from('{"type":"response.create"}'), Buffer.alloc(0), Buffer.from([0xff, 0xfe])]
    const { heard, refused } = await say(...none, deep, ...bytes)
    expect(heard).toEqual([])
    expect(refused).toHaveLength(none.length + 1 + bytes.length)
    for (const { code } of refused) expect(['invalid_event', 'invalid_json', 'invalid_text_request']).toContain(code)
    expect((await say('{"type":"response.create"}')).heard).toEqual([{ type: 'response.create' }])
    expect(socket.readyState).toBe(WebSocket.OPEN)
  })

  it('nor does anything of the provider pass that is no event', async () => {
    const { socket } = await opened(await caller())
    const seen: string[] = []
    socket.on('message', (data) => seen.push(String(data)))
    for (const none of [Buffer.from('{"type":"response.done"}'), 'hello', '[1]', '{}']) provider.say(none)
    provider.say('{"type":"known"}')
    await eventually(
      () => seen.length,
      (n) => n > 0,
    )
    expect(seen).toEqual(['{"type":"known"}'])
  })
})
