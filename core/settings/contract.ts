import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { field } from '../contract/field.ts'
import { namedSchemas } from '../contract/named-schemas.ts'
import { words } from '../errors.ts'

/** A setting as text. A secret one comes with an empty value and `set`, which tells whether it has one. */
export const Option = z.object({ key: z.string(), value: z.string(), set: z.boolean().optional() })
namedSchemas.add(Option, { id: 'Option' })

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
const Changes = field(z.array(z.object({ key, value: NewValue })), {
  label: words('Settings', '设置'),
  help: words('Settings to write, all or none', '要写入的设置，全部写入或全不写入'),
  example: [{ key: 'SystemName', value: 'Weir' }],
})

/** What the specification reads from a discovery document. */
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
    summary: 'All settings as texts; secrets come empty',
    reply: z.array(Option),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    scope: 'all',
    proof: { when: 'a setting whose declaration asks for it' },
    summary: 'Change one setting (key, value), or several at once (options): all of them or none',
    body: z.object({
      key: key.optional(),
      value: NewValue.optional(),
      options: Changes.optional(),
    }),
    reply: z.null(),
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/api/option/test/mail',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: 'Send a test mail with the mail server as it is set',
    body: z.object({
      email: field(z.string().trim().max(100), {
        label: words('Recipient', '收件人'),
        help: words('Where the test mail goes', '测试邮件的收件地址'),
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
    summary: 'Read the endpoints from the OIDC discovery document, at the address that is set or another',
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
    summary: 'Set the model ratios back to the built-in ones',
    reply: z.null(),
    beside: z.object({ message: z.string() }),
  }),
}
