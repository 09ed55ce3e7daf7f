// Dispatch validates inputs and replies, independently of the handlers.
import { describe, expect, test } from 'vitest'
import { noSession, type Caller } from '../../../core/auth/caller.ts'
import { createDispatch } from '../../../core/dispatch.ts'
import { createSystemClock } from '../../../core/adapters/platform.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import type { ApiLimits } from '../../../core/limits/api-rate.ts'
import { nobody } from '../../support/signed-in.ts'

const pass = async () => {}
const unlimited: ApiLimits = { count: pass, throttle: pass, giveBack: pass, forget: pass }
const rules = {
  limits: unlimited,
  settings: defaultSettings,
  clock: createSystemClock(),
  isSetUp: async () => true,
  applied: () => undefined,
}
const local: Caller = { ...nobody, via: 'local' }

/** A dispatch whose one handler gives `reply`, and what the handler was given. */
function withHandler(feature: string, name: string, reply: unknown) {
  const inputs: Record<string, unknown>[] = []
  const handler = async (input: Record<string, unknown>) => {
    inputs.push(input)
    return reply
  }
  const dispatch = createDispatch({ [feature]: { [name]: handler } }, rules)
  const ask = (input: Record<string, unknown> = {}) =>
    dispatch(`${feature}.${name}`, input, { caller: local, session: noSession })
  return { ask, inputs }
}

const user = {
  ...{ id: 1, username: 'alice', display_name: 'Alice', role: 1, status: 1, email: '', group: 'default', quota: 5 },
  ...{ used_quota: 0, request_count: 0, aff_count: 0, aff_quota: 0, aff_history_quota: 0, inviter_id: 0, setting: '' },
  ...{ quota_before: 5, remark: '' },
  ...{ created_time: 1, DeletedAt: null, version: 1 },
  ...{ github_id: '', oidc_id: '', wechat_id: '', telegram_id: '', linux_do_id: '' },
}

describe('dispatch', () => {
  test('leaves out of a reply what is not declared', async () => {
    const { ask } = withHandler('users', 'self', { ...user, password_hash: 'secret', access_token_hash: 'secret' })
    const { data, replyFields: beside } = await ask()
    expect(data).toEqual(user)
    expect(beside).toEqual({})
  })

  test('leaves it out of lists and of fields beside the data too', async () => {
    const told = { total: 1, page: 1, page_size: 10, next_cursor: '' }
    const page = { ...told, items: [{ ...user, password_hash: 'secret' }], surprise: 'x' }
    const listed = await withHandler('users', 'list', page).ask()
    expect(listed.data).toEqual({ ...told, items: [user] })
    const tested = await withHandler('channels', 'test', { data: null, time: 0.25, key: 'secret' }).ask({ id: 1 })
    expect(tested).toEqual({ data: null, replyFields: { time: 0.25 } })
  })

  test('takes a reply of the wrong shape for a bug, and says nothing of it', async () => {
    for (const reply of [undefined, null, {}, { ...user, quota: 'much' }]) {
      const error = await withHandler('users', 'self', reply)
        .ask()
        .catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'server.bug', message: 'internal server error, contact admin' })
      expect((error as { detail: string }).detail).toContain('users.self')
    }
    await expect(withHandler('channels', 'test', { data: null }).ask({ id: 1 })).rejects.toMatchObject({
      code: 'server.bug',
    })
  })

  test('gives a handler what was declared, with defaults, and nothing else', async () => {
    const { ask, inputs } = withHandler('channels', 'search', [])
    await ask({ keyword: 'main', id_sort: 'TRUE', surprise: 1 })
    const defaults = { group: '', model: '', tag: '', type: 0, status: 0, sort: '', tag_mode: false }
    expect(inputs).toEqual([{ keyword: 'main', id_sort: true, ...defaults }])
  })

  test('reads numbers of paths and queries from text', async () => {
    const { ask, inputs } = withHandler('users', 'get', user)
    await ask({ id: '17' })
    expect(inputs).toEqual([{ id: 17 }])
    await expect(ask({ id: 'x' })).rejects.toMatchObject({ code: 'request.invalid' })
    await expect(ask({ id: '1.5' })).rejects.toMatchObject({ code: 'request.invalid' })
  })

  test('refuses a bad field by its name, before the handler runs', async () => {
    const { ask, inputs } = withHandler('users', 'create', null)
    await expect(ask({ username: 5, password: 'long enough' })).rejects.toMatchObject({
      code: 'request.invalid',
      message: 'Invalid parameters: Username (username) must be a text',
    })
    expect(inputs).toEqual([])
  })

  test("lets a handler's refusal through as it is", async () => {
    const dispatch = createDispatch({ users: { self: () => Promise.reject(new Error('disk full')) } }, rules)
    const work = dispatch('users.self', {}, { caller: local, session: noSession })
    await expect(work).rejects.toThrow('disk full')
  })
})
