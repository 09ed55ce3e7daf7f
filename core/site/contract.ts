import { z } from 'zod'
import { SignedIn } from '../auth/signed-in.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareFields, field } from '../contract/field.ts'
import { namedSchemas } from '../contract/named-schemas.ts'
import { fillTemplate, words } from '../errors.ts'
import { signInServiceList, type SignInStatus } from '../settings/sign-in-services.ts'
import { setupFields } from './setup-fields.data.ts'

/** The available sign-in services, with the data that browsers need for them. */
const signIn = Object.fromEntries(
  signInServiceList.flatMap(({ name: label, shown, tells }): [string, z.ZodType][] => {
    const help = fillTemplate(words('Can people sign in with {label}?'), { label })
    const textFields = Object.entries(tells).map(([name, meaning]): [string, z.ZodType] => [
      name,
      field(z.string(), {
        label,
        help: fillTemplate(words('{name}: {meaning}'), { name: label, meaning }),
        example: '',
      }),
    ])
    return [[shown, field(z.boolean(), { label, help, example: false })], ...textFields]
  }),
) as { [K in keyof SignInStatus]: SignInStatus[K] extends boolean ? z.ZodBoolean : z.ZodString }

/** The public facts about this server. */
export const Status = z.object({
  version: z.string(),
  start_time: z.number(),
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  theme_color: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  docs_link: z.string(),
  top_up_link: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  /** IANA name; empty if the operator has chosen none. */
  report_time_zone: z.string(),
  default_collapse_sidebar: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  register_enabled: z.boolean(),
  password_login: z.boolean(),
  password_register: z.boolean(),
  /** The welcome credit of an invited user, in quota units. */
  quota_for_invitee: z.number(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.string(),
  chats: z.array(z.record(z.string(), z.string())),
  email_verification: z.boolean(),
  ...signIn,
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  price: z.number(),
  min_topup: z.number(),
  invoice_seller: z.string(),
  /** Payments by Epay. */
  enable_online_topup: z.boolean(),
  enable_stripe_topup: z.boolean(),
  stripe_price: z.number(),
  stripe_currency: z.string(),
  mj_notify_enabled: z.boolean(),
  enable_batch_update: z.boolean(),
})
namedSchemas.add(Status, { id: 'Status' })
export type Status = z.infer<typeof Status>

const text = z.string()

/** The form of the first setup. */
export const SetupForm = z.object(
  declareFields(setupFields, {
    username: z.string().default(''),
    password: z.string().default(''),
    confirmPassword: z.string().default(''),
    SelfUseModeEnabled: z.boolean().default(false),
    DemoSiteEnabled: z.boolean().default(false),
    code: z.string().default(''),
  }),
)

const SetupStatus = z.object({
  status: z.boolean(),
  root_init: z.boolean(),
  database_type: z.string(),
  /** True where the submission must carry the one-time code printed in the terminal. */
  code_required: z.boolean(),
})

export const site = {
  status: endpoint({
    method: 'GET',
    path: '/api/status',
    access: 'public',
    beforeSetup: true,
    summary: words('Public information about this server'),
    reply: Status,
  }),
  check: endpoint({
    method: 'GET',
    path: '/api/status/test',
    access: 'admin',
    scope: 'read',
    summary: words('Whether the database answers; 503 where it does not'),
    reply: z.null(),
  }),
  gateway: endpoint({
    method: 'GET',
    path: '/api/status/gateway',
    access: 'admin',
    scope: 'read',
    summary: words(
      'How the gateway and its database are: kind, size, versions, processes, open holds and charges that wait',
    ),
    reply: z.object({
      database: z.enum(['sqlite', 'postgres']),
      database_version: z.string(),
      database_bytes: z.number(),
      /** The last step of its schema. */
      schema: z.string(),
      processes: z.number(),
      open_holds: z.number(),
      /** Of the process that answers the request. */
      owed_charges: z.number(),
      /** The proxy variables of that process, without passwords. */
      proxies: z.array(z.string()),
    }),
  }),
  setupStatus: endpoint({
    method: 'GET',
    path: '/api/setup',
    access: 'public',
    beforeSetup: true,
    summary: words('Whether Weir is set up, and what setting it up needs'),
    reply: SetupStatus,
  }),
  setup: endpoint({
    method: 'POST',
    path: '/api/setup',
    access: 'public',
    beforeSetup: true,
    summary: words(
      'Set Weir up: the administrator account and the mode of use. With the one-time code, or by the terminal on the host',
    ),
    row: SetupStatus,
    body: SetupForm,
    reply: SignedIn,
  }),
  release: endpoint({
    method: 'GET',
    path: '/api/site/release',
    access: 'admin',
    scope: 'read',
    summary: words('The latest release, from the address in the setting, and whether it is newer than this version'),
    reply: z.object({ current: z.string(), tag_name: z.string(), body: z.string(), newer: z.boolean() }),
  }),
  notice: endpoint({
    method: 'GET',
    path: '/api/notice',
    access: 'public',
    summary: words('The site notice'),
    reply: text,
  }),
  about: endpoint({
    method: 'GET',
    path: '/api/about',
    access: 'public',
    summary: words('The about page'),
    reply: text,
  }),
  home: endpoint({
    method: 'GET',
    path: '/api/home_page_content',
    access: 'public',
    summary: words('The home page; empty for the built-in one'),
    reply: text,
  }),
}
