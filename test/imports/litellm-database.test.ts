// A database of LiteLLM: its keys, of which it has only hashes, go on working; whoever pays there pays here.
import { afterEach, expect, it } from 'vitest'
import { chatReply } from '../support/upstream.ts'
import { describeWithOwnGateway } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { accounted, callWith, importInto, lineOf } from './import.ts'
import { digestOf, liteLlmSource, lockedWith, type LiteLlmRows } from './litellm-source.ts'

const UNIT = 500_000

describeWithOwnGateway('what comes from a database of LiteLLM', (weir) => {
  const made: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    delete process.env.LITELLM_SALT_KEY
    for (const gone of made.splice(0)) await gone()
  })
  async function bring(rows: LiteLlmRows) {
    const { url, gone } = await liteLlmSource(rows)
    made.push(gone)
    return { url, result: await importInto(weir, url, { product: 'litellm' }) }
  }
  let keys = 0
  /** With dashes in it, and one at its start. */
  const newKey = () => `sk--${weir.rootId}${++keys}-Dash_ed-${String(Date.now())}-`
  const storage = () => weir.gateway.ports.storage
  const userNamed = async (name: string) =>
    (await weir.root.client.users.search({ keyword: name })).items.find(({ username }) => username === name)
  const tokenOf = async (name: string) => {
    const user = await userNamed(name)
    return (await storage().tokens.listOfUser(user?.id ?? 0, {}, { offset: 0, limit: 1 })).items[0]
  }

  it('lets keys go on whose hashes alone it has', async () => {
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const [key, user] = [newKey(), `ada-${Date.now()}`]
    const { url, result } = await bring({
      UserTable: [{ user_id: user, user_role: 'internal_user', max_budget: 10, spend: 2.5 }],
      VerificationToken: [
        { token: digestOf(key), key_alias: 'laptop', user_id: user, max_budget: 4, spend: 1, rpm_limit: 60 },
      ],
    })
    expect(accounted(result, 'token')).toBe(1)
    expect(await userNamed(user)).toMatchObject({ quota: 7.5 * UNIT, used_quota: 2.5 * UNIT, role: 1 })
    const before = await tokenOf(user)
    expect(before).toMatchObject({
      key: '',
      key_digest: digestOf(key),
      remain_quota: 3 * UNIT,
      requests_per_minute: 60,
    })
    const shown = await weir.root.client.tokens.ofUser({ user_id: before?.user_id ?? 0 })
    expect(shown.data[0]?.key).toBe('***')
    // What the database knows of a key is no key.
    for (const wrong of [
      digestOf(key),
      '',
      `sha256:${digestOf(key)}`,
      `sha256:${digestOf(key)}-1`,
      key.slice(0, -1),
      `${key}1`,
    ])
      expect(await callWith(weir.url, `sk-${wrong}`, weir.model), wrong).toBe(401)
    for (const time of [1, 2]) expect(await callWith(weir.url, key, weir.model), String(time)).toBe(200)
    expect((await tokenOf(user))?.key).toBe(key.slice(3))
    const asGoogle = await send('GET', `${weir.url}/v1/models`, { headers: { 'x-api-key': key } })
    expect(asGoogle.status).toBe(200)
    const again = await importInto(weir, url, { product: 'litellm' })
    expect(again.counts.filter(({ came, changed }) => came + changed > 0)).toEqual([])
    expect(await callWith(weir.url, key, weir.model)).toBe(200)
  })

  it('keeps who pays, what they may, and what was spent', async () => {
    const mark = String(Date.now())
    const [open, team, own, none, over, off] = [newKey(), newKey(), newKey(), newKey(), newKey(), newKey()]
    const { result } = await bring({
      UserTable: [
        { user_id: `u1-${mark}`, user_alias: `Boss${mark}`, user_role: 'proxy_admin', user_email: 'no address' },
        {
          user_id: `u2-${mark}`,
          user_email: `eve${mark}@example.org`,
          max_budget: 1,
          spend: 3,
          models: ['m-1', 'm,"2'],
        },
      ],
      TeamTable: [
        {
          ...{ team_id: `t-${mark}`, team_alias: `Lab${mark}`, max_budget: 20, spend: 5, models: ['m-3'] },
          members_with_roles: JSON.stringify([{ role: 'admin', user_id: `u1-${mark}` }]),
        },
      ],
      VerificationToken: [
        { token: digestOf(open), user_id: `u1-${mark}`, models: ['all-proxy-models'], expires: '2030-01-02 03:04:05' },
        { token: digestOf(team), user_id: `u1-${mark}`, team_id: `t-${mark}`, models: ['all-team-models'] },
        { token: digestOf(own), user_id: `u2-${mark}`, max_budget: 2, budget_duration: '30d', blocked: true },
        { token: digestOf(none), metadata: '{"tags":["a"]}', permissions: '{"get_spend_routes":true}' },
        { token: digestOf(over), user_id: 'who-left' },
        { token: off, user_id: `u1-${mark}` },
      ],
      SpendLogs: [
        {
          ...{
            request_id: `r1-${mark}`,
            api_key: digestOf(own),
            spend: 0.01,
            prompt_tokens: 100,
            completion_tokens: 20,
          },
          ...{
            startTime: '2025-03-04 05:06:07',
            endTime: '2025-03-04 05:06:09',
            model: 'openai/m',
            model_group: 'm-1',
          },
          user: `u2-${mark}`,
        },
        {
          request_id: `r2-${mark}`,
          startTime: '2025-03-04',
          endTime: '2025-03-04',
          user: 'who-left',
          status: 'failure',
        },
      ],
      Config: [{ param_name: 'router_settings', param_value: '{}' }],
    })
    expect(['user', 'token', 'log', 'LiteLLM_Config'].map((kind) => accounted(result, kind))).toEqual([4, 6, 2, 1])
    const [boss, eve, lab] = await Promise.all([`Boss${mark}`, `eve${mark}`, `Lab${mark}`].map(userNamed))
    expect(boss).toMatchObject({ role: 10, quota: 1_000_000 * UNIT, email: '' })
    expect(lineOf(result, 'user', `u1-${mark}`)?.why.en).toMatch(/no e-mail.*no budget/)
    expect(eve).toMatchObject({ quota: -2 * UNIT, email: `eve${mark}@example.org` })
    expect(lab).toMatchObject({ quota: 15 * UNIT, role: 1 })
    expect(lineOf(result, 'user', `team t-${mark}`)?.why.en).toContain(`u1-${mark}`)
    expect(await tokenOf(`Boss${mark}`)).toMatchObject({ model_limits_enabled: false, expired_time: 1_893_553_445 })
    expect(await tokenOf(`Lab${mark}`)).toMatchObject({ model_limits: 'm-3', model_limits_enabled: true })
    expect(await tokenOf(`eve${mark}`)).toMatchObject({
      ...{ model_limits_enabled: true, status: 2, budget_month: 2 * UNIT, unlimited_quota: true },
    })
    expect(lineOf(result, 'token', digestOf(none))?.why.en).toContain('permissions')
    expect(lineOf(result, 'token', digestOf(over))?.why.en).toContain('who-left')
    expect(lineOf(result, 'token', off)?.outcome).toBe('left')
    expect(await callWith(weir.url, none, 'no-such-model')).toBe(404)
    expect((await weir.root.client.logs.list({ request_id: `r1-${mark}` })).items[0]).toMatchObject({
      ...{
        quota: 5000,
        prompt_tokens: 100,
        model_name: 'm-1',
        use_time: 2,
        user_id: eve?.id,
        created_at: 1_741_064_769,
      },
    })
    expect(lineOf(result, 'log', `r2-${mark}`)?.why.en).toContain('who-left')
    expect((await weir.root.client.quota.verify()).ok).toBe(true)
  })

  it('opens what its models need with the salt key, and says what it could not open', async () => {
    process.env.LITELLM_SALT_KEY = 'sk-the-salt'
    const models = (salt: string, mark: string) => [
      {
        ...{ model_id: `id-${mark}`, model_name: `served-${mark}`, model_info: '{"id":"x"}' },
        litellm_params: JSON.stringify({
          model: lockedWith(salt, 'openai/theirs'),
          api_base: lockedWith(salt, `${weir.upstream.url}/v1`),
          api_key: lockedWith(salt, 'sk-of-the-provider'),
          input_cost_per_token: 0.000002,
        }),
      },
    ]
    const [good, bad] = [`good${weir.rootId}`, `bad${weir.rootId}`]
    await bring({ UserTable: [{ user_id: good }], ProxyModelTable: models('sk-the-salt', good) })
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 3, completion_tokens: 2 }))
    const ada = await weir.addCaller({ quota: 1_000_000 })
    expect((await ada.chat({ model: `served-${good}` })).status).toBe(200)
    expect(weir.upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-provider')
    // The values of a model's credential are encrypted, too.
    const named = `named${weir.rootId}`
    const values = {
      api_key: lockedWith('sk-the-salt', 'sk-of-the-credential'),
      api_base: lockedWith('sk-the-salt', `${weir.upstream.url}/v1`),
    }
    await bring({
      UserTable: [{ user_id: named }],
      CredentialsTable: [{ credential_id: '1', credential_name: 'shared', credential_values: JSON.stringify(values) }],
      ProxyModelTable: [
        {
          model_id: `id-${named}`,
          model_name: `served-${named}`,
          litellm_params: JSON.stringify({
            model: lockedWith('sk-the-salt', 'openai/gpt-4o-mini'),
            litellm_credential_name: lockedWith('sk-the-salt', 'shared'),
          }),
        },
      ],
    })
    expect((await ada.chat({ model: `served-${named}` })).status).toBe(200)
    expect(weir.upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-credential')
    const { result } = await bring({ UserTable: [{ user_id: bad }], ProxyModelTable: models('another', bad) })
    expect(lineOf(result, 'channel', `id-${bad}`)?.why.en).toContain('LITELLM_SALT_KEY')
    expect((await ada.chat({ model: `served-${bad}` })).status).not.toBe(200)
  })
})
