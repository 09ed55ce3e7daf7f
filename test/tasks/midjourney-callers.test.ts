// The permission to draw, and the form of refusals: Midjourney's clients know their own codes and reasons.
import { expect, it } from 'vitest'
import type { Caller } from '../support/caller.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { CENTS_10, CENTS_5, drawingSite } from './drawings.ts'
import { tasksOf } from './site.ts'

describeWithGateway('callers who draw', (weir) => {
  const { vendor, post, channel, drawn } = drawingSite(weir)
  const imagine = (who: Caller) => post(who, '/mj/submit/imagine', { prompt: 'a cat' })
  const by = (headers: Record<string, string>) =>
    send('POST', `${weir.url}/mj/submit/imagine`, { headers, body: { prompt: 'a cat' } })

  it('have their key where drawing clients have it', async () => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    expect((await by({ 'mj-api-secret': ada.key })).json.code).toBe(1)
    expect((await by({ authorization: 'midjourney-proxy', 'mj-api-secret': ada.key })).json.code).toBe(1)
    for (const headers of [{}, { 'mj-api-secret': 'sk-nobody' }] as Record<string, string>[]) {
      const refused = await by(headers)
      expect([refused.status, refused.json.code, refused.json.type]).toEqual([401, 4, 'upstream_error'])
    }
    // The proxy gets its own.
    expect(vendor.requests.every(({ headers }) => headers['mj-api-secret'] === 'mj-secret')).toBe(true)
  })

  it('may, as administrators, say which channel', async () => {
    await channel({ priority: 9, base_url: 'http://127.0.0.1:1' })
    const { id } = await channel()
    const chief = await weir.addCaller({ quota: 10 * CENTS_10, patch: { role: 10 } })
    expect((await by({ 'mj-api-secret': `${chief.key}-${id}` })).json.code).toBe(1)
    expect(await tasksOf(weir, chief)).toMatchObject([{ channel_id: id }])
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    expect((await by({ 'mj-api-secret': `${ada.key}-${id}` })).status).toBe(403)
  })

  it('are held to the models of their token', async () => {
    await channel()
    const token = { model_limits_enabled: true, model_limits: 'mj_imagine' }
    const ada = await weir.addCaller({ quota: 10 * CENTS_10, token })
    const id = await drawn(ada)
    const refused = await post(ada, '/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 1 })
    expect([refused.status, refused.json.code]).toEqual([403, 4])
    expect(refused.json.description).toContain('mj_upscale')
    expect((await ada.balances()).quota).toBe(9 * CENTS_10)
  })

  it.each([
    ['account', { quota: CENTS_5 }],
    ['token', { quota: 10 * CENTS_10, token: { remain_quota: CENTS_5 } }],
  ])('are refused with quota_not_enough when their %s has too little, before anything is asked', async (_, fields) => {
    await channel()
    const ada = await weir.addCaller(fields)
    const refused = await imagine(ada)
    expect([refused.status, refused.json.code]).toEqual([403, 4])
    expect(refused.json.description).toMatch(/^quota_not_enough /)
    expect(vendor.requests).toEqual([])
  })

  it('are refused with code 30 when they ask too often', async () => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10, token: { requests_per_minute: 1 } })
    expect((await imagine(ada)).json.code).toBe(1)
    const refused = await imagine(ada)
    expect([refused.status, refused.json.code]).toEqual([429, 30])
  })

  it.each([
    ['imagine', '{"prompt":', 'bind_request_body_failed'],
    ['imagine', '{}', 'prompt_is_required'],
    ['change', '{"action":"UPSCALE","index":1}', 'task_id_is_required'],
    ['change', '{"taskId":"1","index":1}', 'action_is_required'],
    ['change', '{"taskId":"1","action":"UPSCALE"}', 'index_is_required'],
    ['change', '{"taskId":"1","action":"UPSCALE","index":1}', 'task_not_found'],
    ['simple-change', '{"content":"1 X9"}', 'content_parse_failed:1 X9'],
    ['action', '{"taskId":"1","customId":"bookmark"}', 'unknown_action:bookmark'],
    ['action', '{"taskId":"1"}', 'custom_id_is_required'],
  ])('are told what is wrong with %s %s: %s', async (kind, body, word) => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const headers = { 'mj-api-secret': ada.key, 'content-type': 'application/json' }
    const refused = await fetch(`${weir.url}/mj/submit/${kind}`, { method: 'POST', headers, body })
    const told = (await refused.json()) as { description: string; type: string; code: number }
    expect(refused.status).toBe(word === 'task_not_found' ? 404 : 400)
    expect(told).toEqual({ description: expect.any(String), type: 'upstream_error', code: 4 })
    expect(told.description.split(' (request id')[0]!.startsWith(`${word} `)).toBe(true)
    expect(vendor.requests).toEqual([])
    expect(await tasksOf(weir, ada)).toEqual([])
  })

  it('of everybody are found by status, action and model, with a total', async () => {
    await channel()
    const ada = await weir.addCaller({ quota: 10 * CENTS_10 })
    const id = await drawn(ada)
    await post(ada, '/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 1 })
    const { tasks } = weir.root.client
    const found = async (filter: object) => {
      const { data, total } = await tasks.drawings({ user_id: ada.user.id, ...filter })
      return [data.map(({ action }) => action), total]
    }
    expect(await found({})).toEqual([['UPSCALE', 'IMAGINE'], 2])
    expect(await found({ status: 'SUCCESS' })).toEqual([['IMAGINE'], 1])
    expect(await found({ model: 'mj_upscale' })).toEqual([['UPSCALE'], 1])
    expect(await found({ action: 'IMAGINE', mj_id: id })).toEqual([['IMAGINE'], 1])
    expect(await found({ status: 'FAILURE' })).toEqual([[], 0])
  })
})
