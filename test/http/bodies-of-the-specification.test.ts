// The bodies of the specification's API: null means absent, fields that the entity has are ignored where a call does not
// use them, and any other name is refused. The cases are derived from the declarations.
import { describe, expect, it } from 'vitest'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { parseEndpointInput, canHaveBody } from '../../core/contract/input.ts'
import { endpointsByName } from '../../core/contracts.ts'
import { GatewayError } from '../../core/errors.ts'
import { buildValidInput } from '../core/contract/inputs.ts'
import { describeWithGateway } from '../support/gateway.ts'
import { chatReply } from '../support/upstream.ts'
import { listFailures } from '../support/list-failures.ts'
import { specified } from './calls.data.ts'

/** Section 3 of the specification. */
const user = `id username display_name password group quota used_quota request_count aff_count aff_quota
  aff_history_quota inviter_id role status DeletedAt email github_id oidc_id wechat_id telegram_id linux_do_id setting`
const userSetting = `notify_type quota_warning_threshold webhook_url webhook_secret notification_email
  accept_unset_model_ratio_model`
const channel = `id name type key openai_organization max_input_tokens base_url other model_mapping status_code_mapping
  models group groups auto_ban test_model priority weight tag setting param_override status response_time balance
  used_quota other_info created_time balance_updated_time test_time`
const token = `id name key remain_quota used_quota unlimited_quota expired_time model_limits_enabled model_limits allow_ips
  group status created_time`
const redemption = 'id name key quota count status created_time used_user_id'
const task = `id created_at submit_time finish_time channel_id platform action task_id status progress fail_reason`

/** The entity of each call with a body. */
const entities: Record<string, string> = {
  'site.setup': 'status root_init database_type',
  'auth.login': user,
  'auth.register': user,
  'auth.reset': user,
  'users.create': user,
  'users.update': user,
  'users.manage': user,
  'users.updateSelf': user,
  'users.affTransfer': user,
  'users.setting': userSetting,
  'tokens.create': token,
  'tokens.update': token,
  'channels.fetchModelsNew': channel,
  'channels.deleteMany': channel,
  'channels.tagMany': channel,
  'channels.updateTag': channel,
  'channels.enableTag': channel,
  'channels.disableTag': channel,
  'channels.create': channel,
  'channels.update': channel,
  'redemptions.create': redemption,
  'redemptions.update': redemption,
  'redemptions.redeem': redemption,
  'topups.amount': 'amount money trade_no create_time status',
  'topups.pay': 'amount money trade_no create_time status',
  'settings.update': 'key value',
  'tasks.manage': task,
}

const specifiedNames = new Set(specified.map(({ endpoint }) => endpoint))
const withBody = [...endpointsByName].filter(([, { body }]) => body !== undefined)
const bodiesOfSpecification = withBody.filter(([name]) => specifiedNames.has(name))

/** The parsed input, or the code of its refusal. */
function parse(endpoint: Endpoint, input: Record<string, unknown>): unknown {
  try {
    return parseEndpointInput(endpoint, input)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return [error.code, error.field, error.text('en')]
  }
}

const fieldsOf = ({ body }: Endpoint) => Object.keys(body?.shape ?? {})

describe('a body', () => {
  it('takes null for absent in every field', async () => {
    const cases = withBody.flatMap(([name, endpoint]) => fieldsOf(endpoint).map((field) => ({ name, endpoint, field })))
    const failures = await listFailures(
      cases.filter(({ endpoint, field }) => !endpoint.nulls?.includes(field)),
      ({ name, field }) => `${name} ${field}`,
      ({ endpoint, field }) => {
        const valid = buildValidInput(endpoint)
        const { [field]: _given, ...without } = valid
        expect(parse(endpoint, { ...valid, [field]: null })).toEqual(parse(endpoint, without))
      },
    )
    expect(failures).toEqual([])
  })

  it('has fields whose null has a meaning of its own only where that is declared', () => {
    const declared = withBody.flatMap(([name, { nulls = [] }]) => nulls.map((field) => `${name} ${field}`))
    expect(declared).toEqual([
      'groups.set description',
      ...['create', 'update', 'createOf', 'updateOf'].flatMap((name) => [
        `tokens.${name} models`,
        `tokens.${name} subnet`,
      ]),
      'settings.update value',
    ])
  })

  it('of every call of the specification belongs to an entity', () => {
    expect(Object.keys(entities).sort()).toEqual(bodiesOfSpecification.map(([name]) => name).sort())
  })

  it.each(bodiesOfSpecification)('of %s ignores what it does not use of its entity', (name, endpoint) => {
    const valid = buildValidInput(endpoint)
    const used = [endpoint.body, endpoint.query, endpoint.params].flatMap((part) => Object.keys(part?.shape ?? {}))
    const unused = [...entities[name]!.split(/\s+/), ...Object.keys(endpoint.row?.shape ?? {})].filter(
      (field) => !used.includes(field),
    )
    const entity = Object.fromEntries(unused.flatMap((field, at) => [[field, at % 2 ? null : { any: ['value'] }]]))
    expect(parse(endpoint, { ...valid, ...entity })).toEqual(parse(endpoint, valid))
  })

  it('with an unknown name is refused, whatever its value and whether or not fields are declared', async () => {
    const failures = await listFailures(
      [...endpointsByName].filter(([, endpoint]) => canHaveBody(endpoint)),
      ([name]) => name,
      ([, endpoint]) => {
        for (const value of [null, 1, 'x']) {
          const refusal = parse(endpoint, { ...buildValidInput(endpoint), no_such_name: value })
          expect(refusal).toEqual(['request.unknown_field', undefined, expect.stringContaining('no_such_name')])
        }
      },
    )
    expect(failures).toEqual([])
  })
})

describeWithGateway('null in a body', (weir) => {
  it('leaves what is stored', async () => {
    const ada = await weir.addVisitor({ quota: 1000 })
    const put = async (who: { send: typeof weir.root.send }, path: string, body: object) =>
      (await who.send('PUT', path, { body })).json
    const token = await ada.client.tokens.create({
      name: 'n',
      allow_ips: '203.0.113.9',
      model_limits: 'a',
      group: 'vip',
    })
    const emptied = Object.fromEntries(Object.keys(token).map((field) => [field, null]))
    const changed = await put(ada, '/api/token/', { ...emptied, id: token.id, name: 'renamed' })
    const { version: _version, ...rest } = token
    expect(changed).toMatchObject({ success: true, data: { ...rest, name: 'renamed', key: expect.any(String) } })
    const stored = await weir.addChannel({ tag: 'kept', model_mapping: '{"a":"b"}', weight: 3, priority: 4 })
    const none = Object.fromEntries(Object.keys(stored).map((field) => [field, null]))
    expect(await put(weir.root, '/api/channel/', { ...none, id: stored.id, name: 'renamed' })).toMatchObject({
      data: { tag: 'kept', model_mapping: '{"a":"b"}', weight: 3, priority: 4, name: 'renamed', status: stored.status },
    })
    expect((await put(weir.root, '/api/channel/', { id: stored.id, tag: '' })).data.tag).toBe(null)
    const blank = { username: null, display_name: 'Ada', password: null, group: null, quota: null, role: null }
    expect((await put(weir.root, '/api/user/', { id: ada.user.id, ...blank })).success).toBe(true)
    expect(await ada.client.users.self()).toMatchObject({
      quota: 1000,
      display_name: 'Ada',
      username: ada.user.username,
    })
  })

  it('registers, and plays, like an absent field', async () => {
    const body = { username: 'nullable', password: 'long enough', email: null, verification_code: null, aff_code: null }
    const { json } = await weir.visitor().send('POST', '/api/user/register', { body })
    expect(json).toMatchObject({ success: true, data: { username: 'nullable' } })
    const ada = await weir.addVisitor({ quota: 1_000_000 })
    await weir.addChannel()
    weir.upstream.reply(chatReply('Hello', { prompt_tokens: 1, completion_tokens: 1 }))
    const messages = [{ role: 'user', content: 'Hi' }]
    const chat = { model: weir.model, messages, group: null, stream: null, max_tokens: null, temperature: null }
    expect((await ada.send('POST', '/pg/chat/completions', { body: chat })).status).toBe(200)
  })

  it('has no unknown name in a call without fields', async () => {
    const body = { no_such_name: 1 }
    const { json } = await weir.root.send('POST', '/api/channel/fix', { body })
    expect(json).toMatchObject({ success: false, code: 'request.unknown_field' })
    expect((await weir.root.send('POST', '/api/channel/fix', { body: {} })).json.success).toBe(true)
  })
})
