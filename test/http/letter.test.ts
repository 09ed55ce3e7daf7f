// The letter of the specification: its sentences, word for word and in the language of who asks.
import { expect, it } from 'vitest'
import { describeWithGateway, eventually, MODEL } from '../support/gateway.ts'
import { send } from '../support/server.ts'
import { chatReply } from '../support/upstream.ts'

const CHINESE = { 'accept-language': 'zh-CN,zh;q=0.9' }

/** A sentence of the specification, and a call that is answered with it. */
const sentences: { who: 'root' | 'user' | 'nobody'; call: string; body?: object; en: string; zh: string }[] = [
  {
    who: 'nobody',
    call: 'GET /api/user/self',
    en: 'not logged in or login expired',
    zh: '尚未登录或登录已失效，请再次登录',
  },
  {
    who: 'nobody',
    call: 'POST /api/user/login',
    body: {},
    en: 'enter username and password',
    zh: '请输入用户名和密码',
  },
  {
    who: 'root',
    call: 'POST /api/user/',
    body: { username: ' ', password: '' },
    en: 'username and password cannot be empty',
    zh: '用户名与密码都要填写',
  },
  {
    who: 'nobody',
    call: 'POST /api/user/register',
    body: { username: 'thirteen chars', password: 'long enough' },
    en: 'username up to 12 characters, password 8 to 20',
    zh: '用户名最多 12 个字符，密码 8 到 20 个字符',
  },
  {
    who: 'root',
    call: 'POST /api/channel/',
    body: { name: '', key: '' },
    en: 'Please fill in channel name and key!',
    zh: '请填写渠道名称和渠道密钥！',
  },
  {
    who: 'root',
    call: 'POST /api/channel/',
    body: { name: 'n', key: 'k', models: ' , ' },
    en: 'Please select at least one model!',
    zh: '请至少选择一个模型！',
  },
  ...(['model_mapping', 'status_code_mapping', 'param_override', 'setting'] as const).map((field) => ({
    who: 'root' as const,
    call: 'POST /api/channel/',
    body: { name: 'n', key: 'k', models: 'm', [field]: '{' },
    en: 'Not a valid JSON string: line 1, column 2',
    zh: '不是合法的 JSON 字符串：第 1 行第 2 列',
  })),
  {
    who: 'root',
    call: 'POST /api/channel/fetch_models',
    body: { type: 1, key: '' },
    en: 'Please fill in the key',
    zh: '请填写密钥',
  },
  {
    who: 'root',
    call: 'GET /api/channel/fetch_models/999999',
    en: 'Channel not found, please refresh and retry',
    zh: '渠道不存在，请刷新后重试',
  },
  { who: 'root', call: 'PUT /api/channel/tag', body: { tag: ' ' }, en: 'Tag cannot be empty!', zh: '标签不能为空！' },
  { who: 'root', call: 'PUT /api/channel/tag', body: { tag: 'sentences' }, en: 'No changes!', zh: '没有任何修改！' },
  {
    who: 'root',
    call: 'POST /api/channel/batch',
    body: { ids: [] },
    en: 'Please select channels to delete first!',
    zh: '请先勾选要删除的渠道！',
  },
  {
    who: 'root',
    call: 'POST /api/channel/batch/tag',
    body: { ids: [], tag: 'x' },
    en: 'Please select channels to tag first!',
    zh: '请先勾选要打标签的渠道！',
  },
  {
    who: 'root',
    call: 'PUT /api/option/',
    body: { key: 'GroupRatio', value: '{' },
    en: 'Not a valid JSON string: line 1, column 2',
    zh: '不是合法的 JSON 字符串：第 1 行第 2 列',
  },
  {
    who: 'user',
    call: 'POST /api/token/',
    body: { name: 'n', expired_time: 'next year' },
    en: 'Expiry time format error!',
    zh: '到期时间的格式不对！',
  },
  { who: 'user', call: 'POST /api/user/topup', body: {}, en: 'Please enter a redemption code!', zh: '请输入兑换码！' },
  {
    who: 'root',
    call: 'POST /api/redemption/',
    body: { name: '', count: 1 },
    en: 'name 1 to 20 characters, count above 0 and at most 100 per batch',
    zh: '名称长度 1 到 20 个字符，数量大于 0 且每批最多 100 个',
  },
  {
    who: 'user',
    call: 'PUT /api/user/setting',
    body: { notify_type: 'webhook', quota_warning_threshold: 1, webhook_url: 'http://hook.example' },
    en: 'Webhook must be https',
    zh: 'Webhook 地址必须使用 https',
  },
]

describeWithGateway('the sentences of the specification', (weir) => {
  it('are told word for word, in the language of who asks', async () => {
    const askers = { root: weir.root, user: await weir.addVisitor(), nobody: weir.visitor() }
    await weir.addChannel({ tag: 'sentences' })
    for (const { who, call, body, en, zh } of sentences) {
      const [method = '', path = ''] = call.split(' ')
      const told = async (headers: Record<string, string>) =>
        (await askers[who].send(method, path, { headers, ...(body ? { body } : {}) })).json
      expect(await told({}), call).toMatchObject({ success: false, message: en })
      expect(await told(CHINESE), call).toMatchObject({ success: false, message: zh })
    }
  })

  it('are asked for the human check by what is asked', async () => {
    await weir.set('TurnstileSiteKey', 'site')
    await weir.gateway.client.settings.update({ key: 'TurnstileSecretKey', value: 'secret' })
    await weir.set('TurnstileCheckEnabled', true)
    const headers = { 'new-api-user': '-1' }
    const message = async (method: string, path: string, body?: object) =>
      (await weir.visitor().send(method, path, { headers, ...(body ? { body } : {}) })).json.message
    const checking = 'wait a few seconds, Turnstile is checking'
    expect(await message('POST', '/api/user/login', { username: 'a', password: 'b' })).toBe(checking)
    expect(await message('POST', '/api/user/register', {})).toBe(checking)
    expect(await message('GET', '/api/verification?email=a@example.com')).toBe(checking)
    expect(await message('GET', '/api/reset_password?email=a@example.com')).toBe(
      'Please wait a few seconds, the bot check is examining the environment',
    )
  })

  it('are told by the relay and the playground, and kept in the log, in that language too', async () => {
    const ada = await weir.addCaller({ quota: 1_000_000 })
    expect((await ada.chat({}, CHINESE)).json.error.message).toMatch(/^模型 gpt-4o-mini 不存在/)
    expect((await ada.chat()).json.error.message).toMatch(/^The model 'gpt-4o-mini' does not exist/)
    const unknown = { ...CHINESE, authorization: 'Bearer sk-nobody' }
    expect((await send('GET', `${weir.url}/v1/models`, { headers: unknown })).json.error.message).toMatch(/^无效的令牌/)
    const visitor = await weir.addVisitor({ quota: 1_000_000 })
    const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }] }
    const played = await visitor.send('POST', '/pg/chat/completions', { headers: CHINESE, body })
    expect(played.json.error.message).toMatch(/^模型 gpt-4o-mini 不存在/)
    // A provider that cannot be reached is told in the language of the call, to the caller and in the log.
    await weir.addChannel({ base_url: 'http://127.0.0.1:9' })
    expect((await ada.chat({}, CHINESE)).json.error.message).toMatch(/^请求上游失败/)
    expect((await eventually(ada.logs, (rows) => rows.length > 0))[0]?.content).toMatch(/^请求上游失败/)
  })
})

describeWithGateway('options that depend on each other', (weir) => {
  it('come one call at a time, in either order, with a warning in between', async () => {
    const ada = await weir.addVisitor()
    const put = async (key: string, value: object, headers = {}) => {
      const body = { key, value: JSON.stringify(value) }
      return (await weir.root.send('PUT', '/api/option/', { headers, body })).json
    }
    const usable = async () => Object.keys(await ada.client.groups.usable())
    const makeToken = async () => (await ada.send('POST', '/api/token/', { body: { name: 'n', group: 'gold' } })).json
    const chosen = { default: 'Default', gold: 'Gold' }
    const sentence = /^Saved with a warning: The selectable group gold has no ratio and is not offered/
    // What users may choose comes first, then the ratio; and the ratio goes first.
    const early = await put('UserUsableGroups', chosen)
    expect(early).toMatchObject({ success: true, message: expect.stringMatching(sentence), data: null })
    expect((await put('UserUsableGroups', chosen, CHINESE)).message).toMatch(/^已保存，但请注意：用户可选分组 gold/)
    expect(await usable()).toEqual(['default'])
    expect(await makeToken()).toMatchObject({ success: false })
    expect(await put('GroupRatio', { default: 1, gold: 2 })).toEqual({ success: true, message: '', data: null })
    expect(await usable()).toEqual(['default', 'gold'])
    const { data: token } = await makeToken()
    const late = await put('GroupRatio', { default: 1 })
    expect(late).toMatchObject({ success: true, message: expect.stringMatching(sentence) })
    expect(await usable()).toEqual(['default'])
    const body = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }] })
    const headers = { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' }
    expect((await send('POST', `${weir.url}/v1/chat/completions`, { headers, body })).status).toBe(403)
    expect(await put('UserUsableGroups', { default: 'Default' })).toEqual({ success: true, message: '', data: null })
  })
})

describeWithGateway('the log of events', (weir) => {
  const events = async (user_id: number) => {
    const { items } = await weir.gateway.ports.storage.logs.list({ user_id }, { offset: 0, limit: 50 })
    return items.filter(({ type }) => type !== 2 && type !== 5).map(({ content }) => content)
  }

  it('says of every price what it says in the language of the call, else of who reads the log', async () => {
    await weir.addChannel({ models: [MODEL, 'fixed-price', 'gpt-image-1'].join() })
    await weir.set('ModelPrice', { 'fixed-price': 0.01, 'gpt-image-1': 0.02 })
    const row = async (
      reader: 'zh' | 'en' | undefined,
      headers: Record<string, string>,
      path: string,
      body: object,
    ) => {
      const ada = await weir.addCaller({
        quota: 100_000_000,
        patch: reader ? { setting: JSON.stringify({ language: reader }) } : {},
      })
      await send('POST', weir.url + path, {
        headers: { ...headers, authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const [made] = await eventually(
        () => ada.logs(),
        (rows) => rows.length > 0,
      )
      return made!.content
    }
    const calls = [
      ['/v1/chat/completions', { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] }],
      ['/v1/chat/completions', { model: 'fixed-price', messages: [{ role: 'user', content: 'Hi' }] }],
      ['/v1/images/generations', { model: 'gpt-image-1', prompt: 'a hat', size: '1024x1024', quality: 'high' }],
    ] as const
    const said = { zh: [] as string[], en: [] as string[] }
    for (const [path, body] of calls) {
      if (path.includes('images')) weir.upstream.reply({ body: { created: 1, data: [{ b64_json: 'aGk=' }] } })
      else weir.upstream.reply(chatReply('Hello', { prompt_tokens: 10, completion_tokens: 10 }))
      said.zh.push(await row('zh', {}, path, body), await row('en', CHINESE, path, body))
      said.en.push(await row(undefined, {}, path, body), await row('en', {}, path, body))
    }
    for (const [at, chinese] of said.zh.entries()) {
      expect(chinese).toMatch(/^(模型倍率|模型价格) /)
      expect(chinese).not.toMatch(/[a-z]{3,} /)
      expect(said.en[at]).toMatch(/^model (ratio|price) .*group ratio 1$/)
      expect(chinese.match(/[\d.x]+/g)).toEqual(said.en[at]!.match(/(?<![a-z])[\d.x]+(?![a-z])/g))
    }
  })

  it('tells both of an invitation, in the language of each, with money in one form', async () => {
    await weir.set('QuotaForInviter', 600_000)
    await weir.set('QuotaForInvitee', 1000)
    const ada = await weir.addVisitor()
    await weir.set('QuotaForNewUser', 50)
    const form = { username: 'guest', password: 'a new password', aff_code: await ada.client.users.aff() }
    await weir.visitor().send('POST', '/api/user/register', { headers: CHINESE, body: form })
    const guest = (await weir.gateway.ports.storage.users.findByLogin('guest'))!.user
    expect(await events(guest.id)).toEqual(['受邀注册赠送 $0.002000', '新用户赠送 $0.000100'])
    expect((await events(ada.user.id))[0]).toBe('Invitation reward: $1.200000')
    await ada.client.users.affTransfer({ quota: 600_000 })
    expect((await events(ada.user.id))[0]).toBe('Invitation earnings moved to the balance: $1.200000')
    await weir.set('DisplayInCurrencyEnabled', false)
    const [key = ''] = (await weir.root.client.redemptions.create({ name: 'gift', quota: 12_345 })).data
    await ada.client.redemptions.redeem({ key })
    expect((await events(ada.user.id))[0]).toMatch(/^Redeemed 12345 quota by code \d+$/)
  })
})

describeWithGateway('a top-up', (weir) => {
  it('is quoted in one shape, whatever is asked, with the sentence of the rule', async () => {
    const options = {
      ServerAddress: 'https://weir.example',
      PayAddress: 'https://pay.example',
      EpayId: '1',
      EpayKey: 'k',
    }
    for (const [key, value] of Object.entries(options)) await weir.set(key, value)
    const ada = await weir.addVisitor()
    const quote = async (body: object, headers = {}) =>
      (await ada.send('POST', '/api/user/amount', { headers, body })).json
    expect(await quote({ amount: 10 })).toEqual({ success: true, message: 'success', data: '73.00' })
    for (const amount of [0, -1, 'many', null, '', [], {}, undefined]) {
      const sentence = 'Top-up amount cannot be less than 1'
      expect(await quote({ amount }), String(amount)).toEqual({
        ...{ success: false, message: sentence, data: sentence, code: 'topup.min' },
      })
    }
    expect((await quote({ amount: 0 }, CHINESE)).data).toBe('充值数量不能小于 1')
  })

  it('that is refused has its sentence in message and data, with a code', async () => {
    const ada = await weir.addVisitor()
    const refusals: [object, string, string][] = [
      [{ amount: 10 }, 'topup.unset', 'The administrator has not enabled online top-up!'],
      [{ amount: 0 }, 'topup.min', 'Top-up amount cannot be less than 1'],
      [{ amount: 1.5 }, 'topup.whole', 'Enter a whole number as the amount, such as 10'],
      [{ amount: '10.25' }, 'topup.whole', 'Enter a whole number as the amount, such as 10'],
      [{ amount: 1e17 }, 'topup.high', 'The amount is too large'],
      ...['alipay', 'wxpay', 'ZFB', '', 'paypal', 7, {}].map((payment_method): [object, string, string] => [
        { amount: 10, payment_method },
        'topup.method',
        'Unknown payment method: choose zfb or wx',
      ]),
      [{ amount: 10, discount: 5 }, 'request.unknown_field', 'Unknown field discount: nothing was changed'],
    ]
    const options = { ServerAddress: 'https://weir.example', PayAddress: 'https://pay.example', EpayId: '1' }
    for (const [key, value] of Object.entries(options)) await weir.set(key, value)
    for (const [body, code, sentence] of refusals) {
      if (code === 'topup.min') await weir.set('EpayKey', 'k')
      for (const path of ['/api/user/pay', '/api/user/amount']) {
        const { status, json } = await ada.send('POST', path, { body })
        expect({ status, ...json }, `${path} ${JSON.stringify(body)}`).toMatchObject({
          ...{ status: 200, success: false, code, message: sentence, data: sentence },
        })
      }
      const { json } = await ada.send('POST', '/api/user/pay', { headers: CHINESE, body })
      expect(json.data, code).toBe(json.message)
      expect(json.data, code).toMatch(/[\u4e00-\u9fff]/)
    }
    expect((await ada.client.topups.listSelf()).total).toBe(0)
  })

  it('is not offered without the address that its service reports to', async () => {
    const options = {
      ServerAddress: 'https://weir.example',
      PayAddress: 'https://pay.example',
      EpayId: '1',
      EpayKey: 'k',
    }
    for (const [key, value] of Object.entries(options)) await weir.set(key, value)
    const ada = await weir.addVisitor()
    const isOffered = async () => (await ada.client.site.status()).enable_online_topup
    expect(await isOffered()).toBe(true)
    const { json } = await weir.root.send('PUT', '/api/option/', { body: { key: 'ServerAddress', value: '' } })
    expect(json).toMatchObject({ success: true, message: 'Saved with a warning: set the server address first' })
    expect(await isOffered()).toBe(false)
    expect((await ada.send('POST', '/api/user/pay', { body: { amount: 10 } })).json.code).toBe('topup.unset')
  })
})
