// Every way in which Weir itself refuses a caller: status, body, the client's own error class, and money untouched.
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { chatWith, refuses, refusesFree } from '../support/refusals.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

describeWithGateway('a call is refused', (weir) => {
  const quota = 1_000_000
  const stranger = (apiKey: string) => ({ openai: new OpenAI({ baseURL: `${weir.url}/v1`, apiKey, maxRetries: 0 }) })

  it('without a key', async () => {
    const answer = await send('POST', `${weir.url}/v1/chat/completions`, { body: {} })
    expect(answer.status).toBe(401)
    expect(answer.json.error).toEqual({
      message: `No API key was given (request id: ${answer.headers['x-request-id']})`,
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_api_key',
    })
  })

  it.each(['sk-wrong', `sk-${'x'.repeat(48)}`, "sk-' OR '1'='1", 'Bearer', 'sk-%00'])(
    'with the wrong key %s',
    async (key) => {
      const raises = OpenAI.AuthenticationError
      await refuses(() => chatWith(weir, stranger(key)), {
        status: 401,
        code: 'invalid_api_key',
        message: 'Incorrect API key provided',
        raises,
      })
    },
  )

  it('with a disabled token', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    await visitor.client.tokens.update({ id: ada.token.id, status: 2, status_only: 'true' })
    await refusesFree(weir, ada, {
      status: 401,
      code: 'invalid_api_key',
      message: 'This token is disabled',
      raises: OpenAI.AuthenticationError,
    })
  })

  it('with an expired token', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota, token: { expired_time: 1_000_000 } })
    await refusesFree(weir, ada, {
      status: 401,
      code: 'invalid_api_key',
      message: 'This token has expired',
      raises: OpenAI.AuthenticationError,
    })
  })

  it('with an exhausted token, which it shows masked', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota, token: { remain_quota: 0, unlimited_quota: false } })
    const key = ada.token.key
    const masked = `sk-${key.slice(0, 3)}***${key.slice(-3)}`
    const expected = {
      status: 401,
      code: 'insufficient_quota',
      message: `The quota of token ${masked} is used up`,
      raises: OpenAI.AuthenticationError,
    }
    await refusesFree(weir, ada, expected)
  })

  it('with a deleted token, at once', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    expect((await ada.chat()).status).toBe(200)
    const visitor = weir.visitor()
    await visitor.login(ada.user.username, ada.password)
    await visitor.client.tokens.delete({ id: ada.token.id })
    await refuses(() => chatWith(weir, ada), {
      status: 401,
      code: 'invalid_api_key',
      message: 'Incorrect API key provided',
      raises: OpenAI.AuthenticationError,
    })
  })

  it('to a banned user, at once', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    expect((await ada.chat()).status).toBe(200)
    weir.upstream.requests.length = 0
    await weir.changeUser(ada.user.id, { status: 2 })
    await refusesFree(weir, ada, {
      status: 403,
      code: 'access_banned',
      message: 'This user has been banned',
      raises: OpenAI.PermissionDeniedError,
    })
    await expect(ada.openai.models.list()).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError)
  })

  it('from an address that the token does not allow, whatever a header says', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota, token: { allow_ips: '192.0.2.7\n10.0.0.0/8' } })
    const message = 'Your address is not in the list this token allows'
    await refusesFree(weir, ada, { status: 403, code: 'key_address', message, raises: OpenAI.PermissionDeniedError })
    const headers = { 'x-forwarded-for': '192.0.2.7', 'x-real-ip': '192.0.2.7', forwarded: 'for=192.0.2.7' }
    expect((await ada.chat({}, headers)).status).toBe(403)
    await expect(ada.openai.models.list()).rejects.toBeInstanceOf(OpenAI.PermissionDeniedError)
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const near = await weir.addCaller({ quota, token: { allow_ips: '127.0.0.0/8' } })
    expect((await near.chat()).status).toBe(200)
  })

  it('for a model that the token does not allow', async () => {
    await weir.addChannel({ models: 'gpt-4o,gpt-4o-mini' })
    const ada = await weir.addCaller({ quota, token: { model_limits_enabled: true, model_limits: 'gpt-4o' } })
    const message = `This token may not use the model ${weir.model}`
    await refusesFree(weir, ada, {
      status: 403,
      code: 'model_not_allowed',
      message,
      raises: OpenAI.PermissionDeniedError,
    })
  })

  it('for a group that is closed to the user, or retired', async () => {
    await weir.addChannel({ group: 'default,vip' })
    const ada = await weir.addCaller({ quota, token: { group: 'vip' } })
    await weir.set('UserUsableGroups', { default: 'Default group' })
    const raises = OpenAI.PermissionDeniedError
    await refusesFree(weir, ada, {
      status: 403,
      code: 'group_disabled',
      message: 'The group vip of this token is disabled',
      raises,
    })
    // Their own group they may always choose.
    await weir.changeUser(ada.user.id, { group: 'vip' })
    await weir.set('GroupRatio', { default: 1 })
    await refusesFree(weir, ada, {
      status: 403,
      code: 'group_retired',
      message: 'The group vip has been retired',
      raises,
    })
  })

  it('when no channel serves the model to the group', async () => {
    await weir.addChannel({ group: 'vip' })
    await weir.addChannel({ status: 2 })
    const ada = await weir.addCaller({ quota })
    const message = `No available channel for model ${weir.model} in group default`
    await refusesFree(weir, ada, { status: 503, code: 'model_not_found', message, raises: OpenAI.InternalServerError })
  })

  it.each(['a-model-nobody-priced', 'constructor', '__proto__'])(
    'for the model %s, which has no price',
    async (model) => {
      await weir.addChannel({ models: model })
      const ada = await weir.addCaller({ quota })
      const message = `The price of model ${model} is not set`
      await refusesFree(
        weir,
        ada,
        { status: 400, code: 'model_price_error', message, raises: OpenAI.BadRequestError },
        model,
      )
    },
  )

  it('when the user has not enough quota', async () => {
    await weir.addChannel()
    const message = /Not enough user quota: \d+ left, \d+ needed/
    const expected = { status: 403, code: 'insufficient_user_quota', message, raises: OpenAI.PermissionDeniedError }
    await refusesFree(weir, await weir.addCaller({ quota: 0 }), expected)
    await refusesFree(weir, await weir.addCaller({ quota: 10 }), expected)
  })

  it('when the token has not enough quota', async () => {
    await weir.addChannel()
    const ada = await weir.addCaller({ quota, token: { remain_quota: 10 } })
    const message = /Not enough token quota: 10 left, \d+ needed/
    const code = 'pre_consume_token_quota_failed'
    await refusesFree(weir, ada, { status: 403, code, message, raises: OpenAI.PermissionDeniedError })
  })

  it('when an ordinary user names a channel, or an administrator a bad one', async () => {
    const channel = await weir.addChannel()
    const off = await weir.addChannel({ status: 2 })
    const ada = await weir.addCaller({ quota })
    const chief = await weir.addCaller({ quota, patch: { role: 10 } })
    const pinned =
      ({ key }: Caller, pin: string | number) =>
      () =>
        chatWith(weir, stranger(`${key}-${pin}`))
    const forbidden = {
      status: 403,
      code: 'key_pin_forbidden',
      message: 'Ordinary users cannot choose a channel',
      raises: OpenAI.PermissionDeniedError,
    }
    await refuses(pinned(ada, channel.id), forbidden)
    const invalid = {
      status: 400,
      code: 'key_pin_invalid',
      message: 'Invalid channel id',
      raises: OpenAI.BadRequestError,
    }
    for (const pin of ['999999', 'one', '1e3', '0x1', '9'.repeat(30)]) await refuses(pinned(chief, pin), invalid)
    const disabled = {
      status: 403,
      code: 'channel_disabled',
      message: 'This channel is disabled',
      raises: OpenAI.PermissionDeniedError,
    }
    await refuses(pinned(chief, off.id), disabled)
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    expect(await pinned(chief, channel.id)()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
    expect((await chief.logs())[0]).toMatchObject({ channel: channel.id })
  })

  it.each(['GET /v1/unknown', 'GET /v1', 'GET /v1/chat/completions/x'])('at the unknown path %s', async (line) => {
    const [method = '', path = ''] = line.split(' ')
    const answer = await send(method, weir.url + path)
    expect(answer.status).toBe(404)
    expect(answer.json.error).toMatchObject({ type: 'invalid_request_error', param: null, code: 'unknown_url' })
    expect(answer.json.error.message).toContain(`Invalid URL (${method} ${path})`)
    expect(answer.headers['x-request-id']).toBeTruthy()
  })

  it('at a path of the protocol that is not served', async () => {
    const ada = await weir.addCaller({ quota })
    const expected = {
      status: 404,
      code: 'unknown_url',
      message: /^404 Invalid URL \(GET \/v1\/(files|fine_tuning\/jobs)\)/,
      raises: OpenAI.NotFoundError,
    }
    await refuses(() => ada.openai.files.list(), expected)
    await refuses(() => ada.openai.fineTuning.jobs.list(), expected)
  })
})
