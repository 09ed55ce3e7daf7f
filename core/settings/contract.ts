import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { field } from '../contract/field.ts'
import { words } from '../errors.ts'

/** A setting as text. A secret one has an empty value, and `set` is true if a value is stored. */
export const Option = z.object({ key: z.string(), value: z.string(), set: z.boolean().optional() })
z.globalRegistry.add(Option, { id: 'Option' })

const key = field(z.string(), {
  label: words('Setting', '设置'),
  help: words('Name of the setting', '设置的名称'),
  example: 'SystemName',
})
/** A new text; null makes the setting its default again. */
const NewValue = field(z.string().nullable(), {
  label: words('Value', '值'),
  help: words('Value, as text; null for the default', '值，以文本填写；null 表示默认值'),
  example: 'Weir',
})
/** Optimistic locking: the value is written only if it has not changed since it was read. */
const ReadValue = field(z.string().optional(), {
  label: words('Value that was read', '读取时的值'),
  help: words(
    'The text that was read: the change is refused if the text is different now; if absent, it is written in any case',
    '读取时的文本：如已变为其他值则拒绝更改；未填写时直接写入',
  ),
  example: 'Weir',
})
const Changes = field(z.array(z.object({ key, value: NewValue, was: ReadValue })), {
  label: words('Settings', '设置'),
  help: words('Settings to write, all or none', '要写入的设置，全部写入或全不写入'),
  example: [{ key: 'SystemName', value: 'Weir' }],
})

/** The members of a discovery document that the specification uses. */
export const Discovery = z.object({
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  userinfo_endpoint: z.string(),
})

export const settings = {
  list: endpoint({
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    scope: 'read',
    summary: words('All settings as texts; secrets come empty', '全部设置的文本值；机密为空'),
    reply: z.array(Option),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    scope: 'all',
    proof: { when: words('a setting whose declaration asks for it', '设置的声明要求时') },
    summary: words(
      'Change one setting (key, value), or several at once (options): all of them or none',
      '更改一项设置（key、value），或一次多项（options）：全部成功或全部不变',
    ),
    row: Option,
    nulls: ['value'],
    body: z.object({
      key: key.optional(),
      value: NewValue.optional(),
      was: ReadValue,
      options: Changes.optional(),
    }),
    reply: z.null(),
    // Empty, or a warning: a saved value that does not fit the other settings yet.
    beside: z.object({ message: z.string() }),
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/api/option/test/mail',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Send a test mail with the mail server as it is set', '用当前的邮件服务器发送测试邮件'),
    body: z.object({
      email: field(z.string().trim().max(100), {
        label: words('Recipient', '收件人'),
        help: words('Recipient of the test mail', '测试邮件的收件地址'),
        example: 'ada@example.com',
      }),
    }),
    reply: z.null(),
  }),
  readWellKnown: endpoint({
    method: 'POST',
    path: '/api/option/test/oidc',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words(
      'Read the endpoints from the OIDC discovery document, at the address that is set or another',
      '读取 OIDC 发现文档中的端点，地址取设置中的或另行给出的',
    ),
    body: z.object({
      well_known: field(z.string().trim().max(500).optional(), {
        label: words('Well-known URL', 'Well-Known 地址'),
        help: words(
          'Address of the discovery document; the one that is set where absent',
          '发现文档的地址；未填写时使用已设置的地址',
        ),
        example: 'https://id.example.com/.well-known/openid-configuration',
      }),
    }),
    reply: Discovery,
  }),
  resetPrices: endpoint({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Set the model ratios back to the built-in ones', '将模型倍率恢复为内置值'),
    reply: z.null(),
    beside: z.object({ message: z.string() }),
  }),
}
