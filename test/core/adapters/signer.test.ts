// Signatures against the vectors that their makers publish, and grants against a token endpoint that checks them.
import { createHash, createHmac } from 'node:crypto'
import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSigner } from '../../../core/adapters/signer.ts'
import type { RequestSigner } from '../../../core/ports/signer.ts'
import { createFakeClock, type FakeClock } from '../../support/clock.ts'
import { createMemoryUpstream, type MemoryUpstream } from '../../support/memory-upstream.ts'
import { startVendor } from '../../tasks/vendor.ts'
import { JIMENG_KEY, playedJimeng } from '../../tasks/vendors/jimeng.ts'

let clock: FakeClock
let upstream: MemoryUpstream
let signer: RequestSigner
beforeEach(() => {
  clock = createFakeClock()
  upstream = createMemoryUpstream()
  signer = createSigner({ upstream, clock })
})

describe('AWS Signature Version 4', () => {
  const key = {
    access_key: 'AKIDEXAMPLE',
    secret_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    region: 'us-east-1',
    service: 'service',
  }
  const scope = 'Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request'
  const vectors = createSigner({
    upstream: createMemoryUpstream(),
    clock: createFakeClock(Date.UTC(2015, 7, 30, 12, 36)),
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new TextEncoder().encode('Param1=value1')

  // get-vanilla, post-vanilla, get-vanilla-query-order-key-case, post-x-www-form-urlencoded of AWS's test suite.
  it.each([
    ['GET', '', {}, undefined, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['POST', '', {}, undefined, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      ...(['GET', '?Param2=value2&Param1=value1', {}, undefined] as const),
      'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
    ],
    ['POST', '', form, body, 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a'],
  ] as const)('%s /%s', async (method, query, headers, bytes, signature) => {
    const url = `https://example.amazonaws.com/${query}`
    const signed = await vectors.aws({ method, url, headers, guarded: false, ...(bytes ? { body: bytes } : {}) }, key)
    const names = bytes ? 'content-type;host;x-amz-date' : 'host;x-amz-date'
    expect(signed).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=${names}, Signature=${signature}`,
    })
  })
  it('encodes a path once more, as all services but one of them want it', async () => {
    const url = 'https://bedrock-runtime.us-east-1.amazonaws.com/model/m%3A0/invoke'
    const { authorization } = await vectors.aws({ method: 'POST', url, headers: {}, guarded: false, body }, key)
    const hex = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
    const canonical = [
      ...['POST', '/model/m%253A0/invoke', '', 'host:bedrock-runtime.us-east-1.amazonaws.com'],
      ...['x-amz-date:20150830T123600Z', '', 'host;x-amz-date', hex(body)],
    ].join('\n')
    const text = `AWS4-HMAC-SHA256\n20150830T123600Z\n20150830/us-east-1/service/aws4_request\n${hex(canonical)}`
    const signing = ['20150830', 'us-east-1', 'service', 'aws4_request'].reduce<Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      Buffer.from(`AWS4${key.secret_key}`),
    )
    expect(authorization).toContain(`Signature=${createHmac('sha256', signing).update(text).digest('hex')}`)
  })
})

describe("Tencent Cloud's signature", () => {
  it('is that of the example on its page "Signature v3"', () => {
    const at = createSigner({ upstream, clock: createFakeClock(1551113065_000) })
    const signed = at.tencent(
      {
        method: 'POST',
        url: 'https://cvm.tencentcloudapi.com/',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        guarded: false,
        body: new TextEncoder().encode(
          '{"Limit": 1, "Filters": [{"Values": ["\\u672a\\u547d\\u540d"], "Name": "instance-name"}]}',
        ),
      },
      {
        secret_id: 'AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE',
        secret_key: 'Gu5t9xGARNpq86cd98joQYCN3EXAMPLE',
        service: 'cvm',
      },
    )
    expect(signed).toEqual({
      'x-tc-timestamp': '1551113065',
      authorization:
        'TC3-HMAC-SHA256 Credential=AKIDz8krbsJ5yKBZQpn74WFkmLPx3EXAMPLE/2019-02-25/cvm/tc3_request, ' +
        'SignedHeaders=content-type;host, ' +
        'Signature=72e494ea809ad7a8c8f7a4507b9bddcbaa8e581f516e8da2f66e2c5a96525168',
    })
  })
})

describe('a request to Volcengine', () => {
  it('is taken at its gate as it was signed, and not with another body, address or secret', async () => {
    const gate = await startVendor(playedJimeng)
    const url = `${gate.url}/?Version=2022-08-31&Action=CVSync2AsyncSubmitTask`
    const body = new TextEncoder().encode('{"req_key":"jimeng_t2v_v30","prompt":"a ferry"}')
    const headers = { 'content-type': 'application/json' }
    const key = { access_key: JIMENG_KEY.id, secret_key: JIMENG_KEY.secret, region: 'cn-north-1', service: 'cv' }
    const ask = async (more: {
      url?: string
      body?: Uint8Array<ArrayBuffer>
      key?: { secret_key?: string; service?: string }
    }) => {
      const proof = signer.volcengine({ method: 'POST', url, headers, guarded: false, body }, { ...key, ...more.key })
      const sent = { method: 'POST', headers: { ...headers, ...proof }, body: more.body ?? body }
      const response = await fetch(more.url ?? url, sent)
      return response.text()
    }
    expect(await ask({})).toContain('"message":"Success"')
    for (const other of [
      { url: `${url}&More=1` },
      { body: new TextEncoder().encode('{"req_key":"jimeng_t2v_v30","prompt":"a train"}') },
      { key: { secret_key: 'another' } },
      { key: { service: 'iam' } },
    ])
      expect(await ask(other)).toMatch(/SignatureDoesNotMatch|MissingAuthenticationToken/)
    await gate.close()
  })
})

describe("the address of one of Xunfei's WebSockets", () => {
  it('is signed as in the example on its page about authentication', () => {
    const at = createSigner({ upstream, clock: createFakeClock(Date.UTC(2023, 4, 5, 10, 43, 39)) })
    const key = { api_key: 'addd2272b6d8b7c8abdd79531420ca3b', api_secret: 'MjlmNzkzNmZkMDQ2OTc0ZDdmNGE2ZTZi' }
    expect(at.xunfei('wss://spark-api.xf-yun.com/v1.1/chat', key)).toEqual({
      host: 'spark-api.xf-yun.com',
      date: 'Fri, 05 May 2023 10:43:39 GMT',
      authorization:
        'YXBpX2tleT0iYWRkZDIyNzJiNmQ4YjdjOGFiZGQ3OTUzMTQyMGNhM2IiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9z' +
        'dCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iejVnSGR1M3B4VlY0QURNeWs0Njd3T1dEUTlxNkJRelIzbmZNVGpjL0RhUT0i',
    })
  })
})

describe('an older key of Zhipu', () => {
  it('signs a token with its own header and times in milliseconds, and signs again before it ends', async () => {
    const token = await signer.zhipu('the-id.the secret')
    const [header = '', claims = '', signature] = token.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(header)).toEqual({ alg: 'HS256', sign_type: 'SIGN' })
    expect(read(claims)).toEqual({ api_key: 'the-id', exp: clock.now() + 86_400_000, timestamp: clock.now() })
    expect(createHmac('sha256', 'the secret').update(`${header}.${claims}`).digest('base64url')).toBe(signature)
    clock.advance(23 * 3_600_000)
    expect(await signer.zhipu('the-id.the secret')).toBe(token)
    clock.advance(3_600_000)
    expect(await signer.zhipu('the-id.the secret')).not.toBe(token)
    await expect(signer.zhipu('no parts')).rejects.toMatchObject({ code: 'channel.key_format' })
  })
})

describe("Kling's keys", () => {
  it('sign a token of half an hour for themselves, which is given while it lasts', async () => {
    const token = await signer.kling('the access|the secret')
    const now = Math.floor(clock.now() / 1000)
    const { payload, protectedHeader } = await jwtVerify(token, new TextEncoder().encode('the secret'), {
      currentDate: new Date(clock.now()),
    })
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' })
    expect(payload).toEqual({ iss: 'the access', exp: now + 1800, nbf: now - 5 })
    clock.advance(60_000)
    expect(await signer.kling('the access|the secret')).toBe(token)
    expect(await signer.kling('the access|another')).not.toBe(token)
    clock.advance(1_800_000)
    expect(await signer.kling('the access|the secret')).not.toBe(token)
    for (const wrong of ['no parts', '|secret', 'access|', 'a|b|c'])
      await expect(signer.kling(wrong)).rejects.toMatchObject({ code: 'channel.key_format' })
  })
})

describe('an app of Baidu', () => {
  const app = { api_key: 'an id', secret_key: 'a secret', token_url: 'https://aip.test/oauth/2.0/token' }

  it('is asked for a token with its two keys in the address, once while the token lasts', async () => {
    upstream.reply((_, turn) => ({ parts: [JSON.stringify({ access_token: `token ${turn}`, expires_in: 2_592_000 })] }))
    expect(await Promise.all([signer.baidu(app, { guarded: false }), signer.baidu(app, { guarded: false })])).toEqual([
      'token 0',
      'token 0',
    ])
    const { origin, pathname, searchParams } = new URL(upstream.requests[0]!.url)
    expect(origin + pathname).toBe(app.token_url)
    expect(Object.fromEntries(searchParams)).toEqual({
      grant_type: 'client_credentials',
      client_id: 'an id',
      client_secret: 'a secret',
    })
    clock.advance(29 * 86_400_000)
    expect(await signer.baidu(app, { guarded: false })).toBe('token 0')
    expect(await signer.baidu({ ...app, secret_key: 'another' }, { guarded: false })).toBe('token 1')
    clock.advance(2 * 86_400_000)
    expect(await signer.baidu(app, { guarded: false })).toBe('token 2')
  })

  it('that is refused says so, and may try again', async () => {
    upstream.reply({ status: 401, parts: ['{"error":"invalid_client","error_description":"unknown client id"}'] })
    await expect(signer.baidu(app, { guarded: false })).rejects.toMatchObject({ code: 'upstream.refused' })
    upstream.reply({ parts: [JSON.stringify({ access_token: 'a token', expires_in: 10 })] })
    expect(await signer.baidu(app, { guarded: false })).toBe('a token')
  })
})

describe('a Google service account', () => {
  let account: { client_email: string; private_key_id: string; private_key: string; token_uri: string }
  let publicKey: CryptoKey
  beforeAll(async () => {
    const pair = await generateKeyPair('RS256', { extractable: true })
    publicKey = pair.publicKey
    account = {
      client_email: 'weir@p1.iam.gserviceaccount.com',
      private_key_id: 'k1',
      private_key: await exportPKCS8(pair.privateKey),
      token_uri: 'https://oauth2.test/token',
    }
  })

  const grants = () =>
    upstream.reply((_, turn) => ({ parts: [JSON.stringify({ access_token: `token ${turn}`, expires_in: 3600 })] }))

  it('is asked for a token with an assertion that the public key proves', async () => {
    grants()
    expect(await signer.google(JSON.stringify(account), { proxy: 'http://proxy.test', guarded: false })).toBe('token 0')
    const [asked] = upstream.requests
    expect(asked).toMatchObject({ method: 'POST', url: account.token_uri, proxy: 'http://proxy.test' })
    const sent = new URLSearchParams(new TextDecoder().decode(asked!.body))
    expect(sent.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const { payload, protectedHeader } = await jwtVerify(sent.get('assertion')!, publicKey, {
      issuer: account.client_email,
      audience: account.token_uri,
      currentDate: new Date(clock.now()),
    })
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' })
    expect(payload.scope).toBe('https://www.googleapis.com/auth/cloud-platform')
    expect(payload.exp! - payload.iat!).toBe(3600)
  })

  it('is asked once while its token lasts, also by many at a time, and again shortly before its end', async () => {
    grants()
    const key = JSON.stringify({ ...account, private_key: account.private_key.replaceAll('\n', '\\n') })
    expect(await Promise.all([signer.google(key, { guarded: false }), signer.google(key, { guarded: false })])).toEqual(
      ['token 0', 'token 0'],
    )
    clock.advance(54 * 60_000)
    expect(await signer.google(key, { guarded: false })).toBe('token 0')
    clock.advance(2 * 60_000)
    expect(await signer.google(key, { guarded: false })).toBe('token 1')
    // Another key, another token, whatever the account.
    expect(await signer.google(JSON.stringify({ ...account, private_key_id: 'k2' }), { guarded: false })).toBe(
      'token 2',
    )
  })

  it('that is refused or is no such key says so, and may try again', async () => {
    const key = JSON.stringify(account)
    upstream.reply({ status: 400, parts: ['{"error":"invalid_grant"}'] })
    await expect(signer.google(key, { guarded: false })).rejects.toMatchObject({ code: 'upstream.refused' })
    grants()
    expect(await signer.google(key, { guarded: false })).toMatch(/^token/)
    for (const wrong of ['no JSON', '{}', JSON.stringify({ ...account, private_key: 'none' })])
      await expect(signer.google(wrong, { guarded: false })).rejects.toMatchObject({ code: 'channel.key_format' })
  })
})
