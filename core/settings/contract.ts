import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { field } from '../contract/field.ts'
import { words } from '../errors.ts'

/** A setting as text. A secret one has an empty value, and `set` is true if a value is stored. */
export const Option = z.object({ key: z.string(), value: z.string(), set: z.boolean().optional() })
z.globalRegistry.add(Option, { id: 'Option' })

const key = field(z.string(), {
  label: words('Setting'),
  help: words('Name of the setting'),
  example: 'SystemName',
})
/** A new text; null makes the setting its default again. */
const NewValue = field(z.string().nullable(), {
  label: words('Value'),
  help: words('Value, as text; null for the default'),
  example: 'Weir',
})
/** Optimistic locking: the value is written only if it has not changed since it was read. */
const ReadValue = field(z.string().optional(), {
  label: words('Value that was read'),
  help: words(
    'The text that was read: the change is refused if the text is different now; if absent, it is written in any case',
  ),
  example: 'Weir',
})
const Changes = field(z.array(z.object({ key, value: NewValue, was: ReadValue })), {
  label: words('Settings'),
  help: words('Settings to write, all or none'),
  example: [{ key: 'SystemName', value: 'Weir' }],
})

/** The members of a discovery document that the specification uses. */
export const DiscoveryDocument = z.object({
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  userinfo_endpoint: z.string(),
})

export const settingsContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    scope: 'read',
    summary: words('All settings as texts; secrets come empty'),
    reply: z.array(Option),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    scope: 'all',
    proof: { when: words('a setting that requires it') },
    summary: words('Change one setting (key, value), or several at once (options): all of them or none'),
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
    replyFields: z.object({ message: z.string() }),
  }),
  testMail: endpoint({
    method: 'POST',
    path: '/api/option/test/mail',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Send a test mail with the mail server as it is set'),
    body: z.object({
      email: field(z.string().trim().max(100), {
        label: words('Recipient'),
        help: words('Recipient of the test mail'),
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
    summary: words('Read the endpoints from the OIDC discovery document, at the address that is set or another'),
    body: z.object({
      well_known: field(z.string().trim().max(500).optional(), {
        label: words('Well-known URL'),
        help: words('Address of the discovery document; the one that is set where absent'),
        example: 'https://id.example.com/.well-known/openid-configuration',
      }),
    }),
    reply: DiscoveryDocument,
  }),
  resetPrices: endpoint({
    method: 'POST',
    path: '/api/option/rest_model_ratio',
    access: 'admin',
    scope: 'all',
    proof: true,
    summary: words('Set the model ratios back to the built-in ones'),
    reply: z.null(),
    replyFields: z.object({ message: z.string() }),
  }),
}
